import type { CompactionSettings } from '../history/compaction/compaction-config.ts'
import type { Tool } from '../tool/tool.ts'

/** What a session is opened with: who speaks, what it may use, and how far it may go by itself. */
export type Agent = {
  id: string
  /** The manifest: first section of the system prompt. */
  prompt: string
  tools: readonly Tool[]
  /** Model calls of one run at most. */
  maxSteps: number
  /** How room is made in its sessions' windows, where that differs from the host's settings. */
  compaction?: CompactionSettings
}
