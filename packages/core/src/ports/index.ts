export type { AskStore } from './asks.ts'
export type { Clock } from './clock.ts'
export type { SessionEvents } from './events.ts'
export type { WorkspaceFiles } from './files.ts'
export type { BranchCopy, ExportLine, HistoryChange, HistoryStore, ImportLine } from './history.ts'
export type { LiveStreams, LiveWriter } from './live.ts'
export type { Logger } from './logger.ts'
export type { Models, OpenModel } from './models.ts'
export type { NewMessage, NewSession } from './new-rows.ts'
export type { RunEpoch, RunLease } from './run-lease.ts'
export type { SnapshotSource, Snapshots } from './snapshots.ts'
export type {
  LogRecord,
  MessageQuery,
  MessageStore,
  Page,
  PartWrite,
  QueueStore,
  RecordWrite,
  ReportStore,
  RunBeginning,
  RunStore,
  RunTrigger,
  SearchHit,
  SessionQuery,
  SessionStore,
  SteeringWrite,
  StepCommit,
  Store,
  UsageRow,
  WaitingRun,
} from './store.ts'
export type { Workspaces } from './workspaces.ts'
