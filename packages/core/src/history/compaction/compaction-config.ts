import { z } from 'zod'
import { RESERVE_TOKENS } from '../../domain/context-window.ts'

/** How a session makes room in its context window; every key may be left out. */
export const compactionConfigSchema = z.strictObject({
  /** Tokens kept free for the reply. */
  reserve_tokens: z.int().min(0).default(RESERVE_TOKENS),
  /** Turns that stay as they are. */
  tail_turns: z.int().min(1).max(20).default(2),
  /** Share of the usable window that they may take. */
  tail_budget_pct: z.number().min(0.01).max(0.9).default(0.25),
  /** Times that a summariser's transient failure is tried again. */
  retry_on_transient: z.int().min(0).max(5).default(2),
  /** Turns that must pass between two compactions. */
  min_turns_between: z.int().min(0).default(0),
  /** What is tried when the summariser's input is too large, in this order. */
  smart_recovery: z
    .strictObject({
      prune_tool_outputs: z.boolean().default(true),
      chunked_summarize: z.boolean().default(true),
      drop_middle: z.boolean().default(true),
    })
    .prefault({}),
})

export type CompactionConfig = z.infer<typeof compactionConfigSchema>

export const DEFAULT_COMPACTION: CompactionConfig = compactionConfigSchema.parse({})
