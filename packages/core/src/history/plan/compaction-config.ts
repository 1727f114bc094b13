import { z } from 'zod'
import type { Session } from '../../domain/session/session.ts'

/** Compaction settings as a host, an agent or a session states them: each key is optional. */
export const compactionSettingsSchema = z.strictObject({
  /** Tokens kept free for the reply. */
  reserve_tokens: z.int().min(0).optional(),
  /** Turns that stay as they are. */
  tail_turns: z.int().min(1).max(20).optional(),
  /** Share of the usable window that they may take. */
  tail_budget_pct: z.number().min(0.01).max(0.9).optional(),
  /** Times that a summariser's transient failure is tried again. */
  retry_on_transient: z.int().min(0).max(5).optional(),
  /** Turns that must pass between two compactions. */
  min_turns_between: z.int().min(0).optional(),
  /** What is tried when the summariser's input is too large, in this order. */
  smart_recovery: z
    .strictObject({
      prune_tool_outputs: z.boolean().optional(),
      chunked_summarize: z.boolean().optional(),
      drop_middle: z.boolean().optional(),
    })
    .optional(),
  /** Writes the summary in the background when the window is nearly full, so that no run waits for it. */
  precompute: z.boolean().optional(),
  /** Characters of a tool's output above which a shorter form of it is written for the model; null for never. */
  condense_above: z.int().min(1_000).nullable().optional(),
})

export type CompactionSettings = z.infer<typeof compactionSettingsSchema>

/** All settings as resolved for a session. `reserve_tokens` is null for 20,000 or the model's largest reply, if that is less. */
export type CompactionConfig = {
  reserve_tokens: number | null
  tail_turns: number
  tail_budget_pct: number
  retry_on_transient: number
  min_turns_between: number
  smart_recovery: { prune_tool_outputs: boolean; chunked_summarize: boolean; drop_middle: boolean }
  precompute: boolean
  condense_above: number | null
}

const DEFAULT_COMPACTION: CompactionConfig = {
  reserve_tokens: null,
  tail_turns: 2,
  tail_budget_pct: 0.25,
  retry_on_transient: 2,
  min_turns_between: 0,
  smart_recovery: { prune_tool_outputs: true, chunked_summarize: true, drop_middle: true },
  precompute: true,
  condense_above: null,
}

/** Merges settings over the defaults: the later one wins, key by key. */
function resolveCompaction(...settings: readonly (CompactionSettings | undefined)[]): CompactionConfig {
  return settings.reduce<CompactionConfig>(override, DEFAULT_COMPACTION)
}

function override(config: CompactionConfig, settings: CompactionSettings | undefined): CompactionConfig {
  if (settings === undefined) return config
  const { smart_recovery, ...rest } = settings
  return {
    ...config,
    ...said(rest),
    smart_recovery: { ...config.smart_recovery, ...said(smart_recovery ?? {}) },
  }
}

/** Without the keys that are there but undefined. */
function said<T extends object>(settings: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined)
  // The same keys, less those that say nothing.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** Resolves a session's compaction settings, key by key: its own over its agent's over the host's over the defaults. */
export function createCompactionSettings(
  host: CompactionSettings | undefined,
  agents: ReadonlyMap<string, { compaction?: CompactionSettings }>,
): (session: Session) => CompactionConfig {
  return ({ agent, metadata }) => {
    const own = compactionSettingsSchema.safeParse(metadata.compaction)
    return resolveCompaction(host, agents.get(agent)?.compaction, own.success ? own.data : undefined)
  }
}
