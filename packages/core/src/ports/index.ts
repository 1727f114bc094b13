export type { AskStore } from './asks.ts'
export type { BlobStore, Blobs, ByteRange } from './blobs.ts'
export type { BudgetStore, SessionSpending, StoredBudget } from './budgets.ts'
export type { Clock } from './clock.ts'
export type { SessionEvents } from './events.ts'
export { type CallJournal, type FileChangeUpdate, type FileJournal, JOURNAL_PAGE } from './file-journal.ts'
export { FILE_BYTES, type GlobQuery, type GrepLine, type GrepQuery, type WorkspaceFiles } from './files.ts'
export type {
  BranchCopy,
  ExportLine,
  FormUse,
  HistoryChange,
  HistoryStore,
  ImportLine,
  SessionExport,
  SessionLink,
} from './history.ts'
export type { Hook } from './hooks.ts'
export type { LiveStreams, LiveWriter } from './live.ts'
export type { Logger } from './logger.ts'
export {
  MCP_LIMITS,
  type McpAsked,
  type McpAttempted,
  type McpConnection,
  type McpEntries,
  type McpFile,
  type McpOutput,
  type McpReply,
  type McpServerInfo,
  type McpServers,
  type McpSignIns,
  type McpToolInfo,
  type McpToolList,
} from './mcp.ts'
export type { MemoryPlace, MemoryQuery, MemoryStore, NewMemory } from './memories.ts'
export type { MessageQuery, SearchHit } from './message-query.ts'
export type { Models, OpenModel } from './models.ts'
export type { NewMessage, NewSession } from './new-rows.ts'
export type { Page } from './page.ts'
export type { PdfReader } from './pdf.ts'
export type { Grant, PermissionStore, RuleScope } from './permissions.ts'
export type { EnteredConnection, EnteredProvider, Listing, Providers } from './providers.ts'
export type { ReportStore, StorageReport, UsageRow } from './reports.ts'
export type { RunEpoch, RunLease, WaitingRun } from './run-lease.ts'
export type { SessionQuery } from './session-query.ts'
export type { ProviderRow, SettingsStore } from './settings.ts'
export {
  type CommandAccess,
  type CommandPlace,
  OUTPUT_LIMITS,
  type ProcessCommand,
  type ProcessExit,
  type Processes,
  type RunningProcess,
  type Sandbox,
  type SandboxInfo,
  type WorkspaceFacts,
  type WorkspaceReach,
  type WrappedCommand,
} from './shell.ts'
export type { Capture, FileDelta, FileMove, FoundFile, MovedFile, Snapshots } from './snapshots.ts'
export type { SharedText, StepEnding, SystemPromptWrite } from './step-end.ts'
export type {
  LogRecord,
  MessageStore,
  PartWrite,
  Purged,
  QueueStore,
  RecordWrite,
  RunBeginning,
  RunStore,
  RunTrigger,
  SessionStore,
  SteeringWrite,
  StepCommit,
  Store,
} from './store.ts'
export type { SubagentStore } from './subagents.ts'
export type { Vault } from './vault.ts'
export type { FetchedPage, PageFormat, WebPages, WebResult, WebSearch } from './web.ts'
export type { DemoFolder, Workspaces } from './workspaces.ts'
