import type { CompactionSettings } from '../history/compaction/compaction-config.ts'
import type { RunPolicy, RunSettings } from '../run/run-state.ts'
import type { AgentOverrides } from './agents.ts'

export type CoreSettings = RunSettings & {
  /** Overrides of what the assistant may use and how far it may go. */
  agent?: AgentOverrides
  /** When and how context windows are compacted; agents and sessions may override it. */
  compaction?: CompactionSettings
  /** Overrides of how runs are carried out. */
  runs?: Partial<RunPolicy>
}
