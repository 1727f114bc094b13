import type { ModelRef } from '../domain/model/model.ts'
import type { TokenCounts } from '../domain/model/usage.ts'

/** A text that system prompts share: the SHA-256 of it, and how many characters of the prompt it is. */
export type SharedText = { digest: string; characters: number }

/**
 * A system prompt under its SHA-256. Its beginning and its end may be texts that others share, each of which is stored once; it is
 * read as it was, byte for byte.
 */
export type SystemPromptWrite = { digest: string; body: string; start?: SharedText; end?: SharedText }

/** What a step that has ended adds to its session, and the system prompt that it was given. */
export type StepEnding = {
  /** Counts of this step, added to the session's columns. */
  usage: TokenCounts | null
  /** What the window holds from now on, and whether that is an estimate; null leaves both as they are. */
  contextTokens: number | null
  contextEstimated: boolean
  model: ModelRef
  systemPrompt: SystemPromptWrite | null
}
