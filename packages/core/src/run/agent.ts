import type { Tool } from '../tool/tool.ts'

/** What a session is opened with: who speaks, what it may use, and how far it may go by itself. */
export type Agent = {
  id: string
  /** The manifest: first section of the system prompt. */
  prompt: string
  tools: readonly Tool[]
  /** Model calls of one run at most. */
  maxSteps: number
}
