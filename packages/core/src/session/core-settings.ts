import type { BudgetLimits } from '../domain/model/budget.ts'
import type { CompactionSettings } from '../history/plan/compaction-config.ts'
import type { RunPolicy, RunSettings } from '../run/run-state.ts'
import type { SourceFolders } from '../workspace/source-folders.ts'
import type { AgentOverrides } from './agents.ts'

export type CoreSettings = RunSettings & {
  /** Overrides of the assistant's tools, instructions and limit of steps. */
  agent?: AgentOverrides
  /** Limits of runs and sessions; agents and sessions may override them. */
  budget?: BudgetLimits
  /** When and how context windows are compacted; agents and sessions may override it. */
  compaction?: CompactionSettings
  /** Folders with the person's own files and with skills. */
  sources?: SourceFolders
  /** Overrides of the settings of runs. */
  runs?: Partial<RunPolicy>
}
