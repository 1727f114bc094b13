export { createPace, eachAtPace, type Pace } from './async/pace.ts'
export { createTakeOver } from './async/take-over.ts'
export { untilAborted } from './async/until-aborted.ts'
export { readable } from './checks/check.ts'
export { MESSAGE_METADATA } from './checks/message-metadata.ts'
export { OPERATION_DETAIL } from './checks/operation-detail.ts'
export { partCheck } from './checks/part-data.ts'
export { SESSION_METADATA } from './checks/session-metadata.ts'
export {
  AppError,
  type AppErrorOptions,
  ERROR_CODES,
  type ErrorCode,
  isServerFault,
  toAppError,
} from './errors.ts'
export type { ArchiveReport } from './export/archive-report.ts'
export { exportedIds, withNewIds } from './export/export-ids.ts'
export { createExportReader, type ExportReader } from './export/export-reader.ts'
export { COLUMNS, type ExportRow, type ExportRows, type ExportRowType } from './export/export-rows.ts'
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
} from './files/blob.ts'
export { isPdf, servedType } from './files/content-check.ts'
export { inputKind, isPicture, isTextType } from './files/media-type.ts'
export { outputFiles, wholeOutput } from './files/output-files.ts'
export {
  PDF_LIMITS,
  type PdfContent,
  type PdfFault,
  type PdfText,
  pdfText,
} from './files/pdf.ts'
export type { HistoryDetail, HistoryKind, HistoryOperation } from './history/history-operation.ts'
export {
  isSteering,
  MESSAGE_LAYERS,
  type MessageLayer,
  messageLayer,
  replacedBy,
  type SummaryPlace,
} from './history/message-layer.ts'
export type { Outline, OutlineEntry } from './history/outline.ts'
export { CLIENT_ID_PATTERN, createId, type IdPrefix } from './ids.ts'
export { parseBounded } from './json/bounded-json.ts'
export type { Json, JsonObject } from './json/json.ts'
export { depthChange, stringEnds } from './json/json-bounds.ts'
export { isNestedBeyond } from './json/nesting.ts'
export {
  HISTORY_DETAIL_KEYS,
  isObject,
  MESSAGE_METADATA_KEYS,
  MODEL_KEYS,
  parseStored,
  SESSION_METADATA_KEYS,
  stringifyStored,
  WINDOW_KEYS,
} from './json/stored-keys.ts'
export { IMPORT_LIMITS, LIMITS } from './limits.ts'
export { assertQueueCapacity } from './message/assert-queue-capacity.ts'
export { type CondensedOutput, type CondensedOutputs, withFormUsed } from './message/condensed-output.ts'
export { lastTurnMessage } from './message/last-turn-message.ts'
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
} from './message/message.ts'
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
} from './message/search-text.ts'
export { type SteeringPart, toSteeringPart } from './message/steering-part.ts'
export {
  ABORTED_BY_PARENT,
  SUBAGENT_FAILED,
  SUBAGENT_INTERRUPTED,
  SUBAGENT_NOT_STARTED,
  SUBAGENT_STOPPED,
  UNKNOWN_REASON,
} from './message/task-end.ts'
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
} from './model/budget.ts'
export { type ModelInfo, type ModelRef, type ModelVariant, sameModel } from './model/model.ts'
export { modelCost } from './model/model-cost.ts'
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
} from './model/provider.ts'
export { addTokens, type MessageUsage, NO_TOKENS, type TokenCounts, totalTokens } from './model/usage.ts'
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
} from './permission/ask.ts'
export { assertPendingCapacity } from './permission/assert-pending-capacity.ts'
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
} from './permission/permission.ts'
export { type PromptLine, promptLines } from './prompt-line.ts'
export type { SessionEvent, SessionFeedEvent } from './session/event.ts'
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
} from './session/inspection.ts'
export { repeatsCreation } from './session/repeats-creation.ts'
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
} from './session/session.ts'
export { firstWords, nameByMessage, takesGeneratedTitle } from './session/session-name.ts'
export { IDLE, isRunning, type SessionStatus, type StatusEvent, transition } from './session/status.ts'
export {
  BLOCKING_EVENTS,
  type BlockingEvent,
  HOOK_EVENTS,
  type HookAnswer,
  type HookEvent,
  type HookOutcome,
  type HookPayload,
  type HookView,
} from './settings/hook.ts'
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
} from './settings/mcp.ts'
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
} from './settings/memory.ts'
export { type ChunkLog, type ChunkPosition, createChunkLog, START } from './stream/chunk-log.ts'
export { initialReduction, type Reduction, reduceChunk } from './stream/message-reducer.ts'
export { createOverlapFilter, type OverlapFilter } from './stream/overlap-filter.ts'
export { FIRST_EPOCH, joinTail, LEASE_MS, type LogTail, NO_REPLY } from './stream/run-log.ts'
export {
  decodeIdCursor,
  decodeNumberCursor,
  decodeSessionCursor,
  encodeSessionCursor,
  type SessionCursor,
} from './values/page-cursor.ts'
export { pageLength } from './values/page-length.ts'
export { createSecretRedactor } from './values/secret-redactor.ts'
export { inRanges, type SeqRange, toRanges } from './values/seq-ranges.ts'
export { type ContextWindow, contextWindow, RESERVE_TOKENS } from './window/context-window.ts'
export { type CountedWindow, soundWindow } from './window/counted-window.ts'
export type { HeavyMessage } from './window/heavy-message.ts'
export type { PromptLeftOut } from './window/prompt-left-out.ts'
export { CONTENT_KINDS, type ContentKind, type WindowContent } from './window/window-content.ts'
export type { FileChange } from './workspace/file-change.ts'
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
} from './workspace/file-journal.ts'
export type { FileSpan } from './workspace/file-span.ts'
export {
  isBareRepository,
  isProtectedName,
  PROTECTED_NAMES,
  protectedPart,
  REPOSITORY_NAMES,
} from './workspace/protected-names.ts'
