export type { BlobService } from './blob/blob-service.ts'
export type { ArchiveService } from './history/archive/archive.ts'
export { ARCHIVE_LIMITS, type ArchiveEntry, type NewHash } from './history/archive/archive-format.ts'
export { BrokenArchive } from './history/archive/read-archive.ts'
export type {
  ChangeList,
  ChangeMoment,
  ChangesResult,
  JournalEntry,
  PathDiff,
} from './history/changes/changes-service.ts'
export type { CorePorts } from './history/core-ports.ts'
export { type PointPage, RESTORE_REASONS, type RestorePoint } from './history/history-service.ts'
export { type CompactionSettings, compactionSettingsSchema } from './history/plan/compaction-config.ts'
export { createMemoryLiveStreams } from './live/memory-live-streams.ts'
export { createMemorySessionEvents } from './live/memory-session-events.ts'
export { systemClock } from './live/system-clock.ts'
export { type Core, createCore } from './session/core.ts'
export type { CoreSettings } from './session/core-settings.ts'
export type { SendMessage, SendResult } from './session/send-message.ts'
export type {
  AgentView,
  CreateSession,
  Located,
  QueueEdit,
  SessionService,
  UsageReport,
} from './session/service.ts'
export type { BackgroundCommand } from './tool/shell.ts'
