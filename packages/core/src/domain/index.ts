export type { ArchiveReport } from './archive-report.ts'
export {
  type Answer,
  type AnswerReply,
  type Ask,
  type AskKind,
  type AskReply,
  type AskRequest,
  type FormRefusal,
  type PendingPermission,
  type PendingQuestion,
  type PermissionScope,
  type Question,
  toPendingPermission,
  toPendingQuestion,
  waitsOn,
} from './ask.ts'
export { assertPendingCapacity } from './assert-pending-capacity.ts'
export { assertQueueCapacity } from './assert-queue-capacity.ts'
export {
  BLOB_PENDING_MS,
  BLOBS_PATH,
  type BlobRow,
  blobHash,
  blobsIn,
  blobUrl,
  dataUrlContent,
  type FilePart,
  fileBytes,
  isInline,
} from './blob.ts'
export { parseBounded } from './bounded-json.ts'
export {
  addSpending,
  BUDGET_LIMITS,
  BUDGET_SCOPES,
  type Budget,
  type BudgetLimit,
  type BudgetLimits,
  type BudgetScope,
  type BudgetUse,
  describeReached,
  MOST_SPENT,
  NOTHING_SPENT,
  readLimits,
  type SessionBudget,
  type Spending,
} from './budget.ts'
export { readable } from './checks/check.ts'
export { MESSAGE_METADATA } from './checks/message-metadata.ts'
export { OPERATION_DETAIL } from './checks/operation-detail.ts'
export { partCheck } from './checks/part-data.ts'
export { SESSION_METADATA } from './checks/session-metadata.ts'
export { type ChunkLog, type ChunkPosition, createChunkLog, START } from './chunk-log.ts'
export { type CondensedOutput, type CondensedOutputs, withFormUsed } from './condensed-output.ts'
export { isPdf, servedType } from './content-check.ts'
export { type ContextWindow, contextWindow, RESERVE_TOKENS } from './context-window.ts'
export { type CountedWindow, soundWindow } from './counted-window.ts'
export {
  AppError,
  type AppErrorOptions,
  ERROR_CODES,
  type ErrorCode,
  isServerFault,
  toAppError,
} from './errors.ts'
export type { SessionEvent, SessionFeedEvent } from './event.ts'
export { exportedIds, withNewIds } from './export-ids.ts'
export { createExportReader, type ExportReader } from './export-reader.ts'
export { COLUMNS, type ExportRow, type ExportRows, type ExportRowType } from './export-rows.ts'
export type { FileChange } from './file-change.ts'
export {
  CHANGE_AUTHORS,
  CHANGE_STATUSES,
  type ChangeAuthor,
  type ChangeStatus,
  FILE_CHOICES,
  FILE_MODES,
  type FileChangeRow,
  type FileChoice,
  type FileChoices,
  type FileFate,
  type FileMode,
  type FileState,
  type NewFileChange,
  NOT_KEPT_REASONS,
  type NotKeptReason,
  sameState,
} from './file-journal.ts'
export type { FileSpan } from './file-span.ts'
export type { HeavyMessage } from './heavy-message.ts'
export type { HistoryDetail, HistoryKind, HistoryOperation } from './history-operation.ts'
export {
  BLOCKING_EVENTS,
  type BlockingEvent,
  HOOK_EVENTS,
  type HookAnswer,
  type HookEvent,
  type HookOutcome,
  type HookPayload,
  type HookView,
} from './hook.ts'
export { CLIENT_ID_PATTERN, createId, type IdPrefix } from './ids.ts'
export {
  INSPECT_LIMITS,
  type InspectedCall,
  type InspectedDecision,
  type InspectedJson,
  type InspectedMessage,
  type InspectedPart,
  type InspectedRow,
  type InspectedStep,
  type InspectedTools,
} from './inspection.ts'
export type { Json, JsonObject } from './json.ts'
export { depthChange, stringEnds } from './json-bounds.ts'
export { lastTurnMessage } from './last-turn-message.ts'
export { IMPORT_LIMITS, LIMITS } from './limits.ts'
export {
  MCP_HINTS,
  MCP_NAME,
  type McpDefinition,
  type McpHint,
  type McpServerView,
  type McpSignIn,
  type McpState,
  type McpTest,
  type McpToolView,
} from './mcp.ts'
export { inputKind, isPicture, isTextType } from './media-type.ts'
export {
  checkedMemory,
  MEMORY_LIMITS,
  MEMORY_SCOPES,
  type Memory,
  type MemoryOrigin,
  type MemoryScope,
  type MemoryText,
  sortMemories,
  toLine,
} from './memory.ts'
export {
  type ChatChunk,
  type ChatMessage,
  type ChatPart,
  type FinishReason,
  isOwnCall,
  isToolPart,
  type MessageMetadata,
  type MetadataPatch,
  type Role,
  type StoredMessage,
  type StoredPart,
  toChatMessage,
} from './message.ts'
export {
  isSteering,
  MESSAGE_LAYERS,
  type MessageLayer,
  messageLayer,
  replacedBy,
  type SummaryPlace,
} from './message-layer.ts'
export { initialReduction, type Reduction, reduceChunk } from './message-reducer.ts'
export { type ModelInfo, type ModelRef, type ModelVariant, sameModel } from './model.ts'
export { modelCost } from './model-cost.ts'
export { isNestedBeyond } from './nesting.ts'
export type { Outline, OutlineEntry } from './outline.ts'
export { outputFiles, wholeOutput } from './output-files.ts'
export { createOverlapFilter, type OverlapFilter } from './overlap-filter.ts'
export { createPace, eachAtPace, type Pace } from './pace.ts'
export {
  decodeIdCursor,
  decodeNumberCursor,
  decodeSessionCursor,
  encodeSessionCursor,
  type SessionCursor,
} from './page-cursor.ts'
export { pageLength } from './page-length.ts'
export {
  PDF_LIMITS,
  type PdfContent,
  type PdfFault,
  type PdfText,
  pdfText,
} from './pdf.ts'
export {
  type GivenRule,
  type ListedRule,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionRule,
  type Requirement,
  readRule,
  sessionMode,
  sessionRules,
  toRuleEntry,
  withMode,
  withoutRule,
  withRule,
} from './permission.ts'
export type { PromptLeftOut } from './prompt-left-out.ts'
export { type PromptLine, promptLines } from './prompt-line.ts'
export {
  isBareRepository,
  isProtectedName,
  PROTECTED_NAMES,
  protectedPart,
  REPOSITORY_NAMES,
} from './protected-names.ts'
export {
  API_KEY,
  type AppSettings,
  type ListedModel,
  PROVIDER_ID,
  PROVIDER_KINDS,
  type ProviderKind,
  type ProviderProblem,
  type ProviderSource,
  type ProviderTest,
  type ProviderView,
  RESERVED_PROVIDER_IDS,
} from './provider.ts'
export { repeatsCreation } from './repeats-creation.ts'
export { FIRST_EPOCH, joinTail, LEASE_MS, type LogTail, NO_REPLY } from './run-log.ts'
export {
  matchesSearch,
  SEARCHED_CHARACTERS,
  type SearchTerms,
  searchableText,
  searchHits,
  searchSlice,
  searchSnippet,
  searchTerms,
  searchWords,
} from './search-text.ts'
export { createSecretRedactor } from './secret-redactor.ts'
export { inRanges, type SeqRange, toRanges } from './seq-ranges.ts'
export {
  BIN_DAYS,
  DEFAULT_TITLE,
  rootOf,
  type Session,
  type SessionMetadata,
  type SessionUsage,
  type SessionView,
  type SubagentFacts,
  sessionUsage,
  TITLE_SOURCES,
} from './session.ts'
export { firstWords, nameByMessage, takesGeneratedTitle } from './session-name.ts'
export { IDLE, isRunning, type SessionStatus, type StatusEvent, transition } from './status.ts'
export { type SteeringPart, toSteeringPart } from './steering-part.ts'
export {
  HISTORY_DETAIL_KEYS,
  isObject,
  MESSAGE_METADATA_KEYS,
  MODEL_KEYS,
  parseStored,
  SESSION_METADATA_KEYS,
  stringifyStored,
  WINDOW_KEYS,
} from './stored-keys.ts'
export { createTakeOver } from './take-over.ts'
export {
  ABORTED_BY_PARENT,
  SUBAGENT_FAILED,
  SUBAGENT_INTERRUPTED,
  SUBAGENT_NOT_STARTED,
  SUBAGENT_STOPPED,
  UNKNOWN_REASON,
} from './task-end.ts'
export { untilAborted } from './until-aborted.ts'
export { addTokens, type MessageUsage, NO_TOKENS, type TokenCounts, totalTokens } from './usage.ts'
export { CONTENT_KINDS, type ContentKind, type WindowContent } from './window-content.ts'
