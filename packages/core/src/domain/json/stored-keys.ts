import { parseBounded } from './bounded-json.ts'

/**
 * Our own keys as they are stored and exported, on every store. A key that is not here keeps its name, and so does
 * everything below it.
 */
export type StoredKeys = { [key: string]: string | Nested }

/** The keys inside a value, or with `each` those inside every value that it holds under names of its own. */
type Nested = { name: string; inside: StoredKeys; each?: true }

const MODEL: StoredKeys = { providerId: 'provider_id', modelId: 'model_id' }
const USAGE: StoredKeys = { cacheRead: 'cache_read', cacheWrite: 'cache_write' }
const STEP: StoredKeys = {
  tokens: { name: 'tokens', inside: USAGE },
  durationMs: 'duration_ms',
  finishReason: 'finish_reason',
}
const SPENDING: StoredKeys = {
  costUsd: 'cost_usd',
  toolCalls: 'tool_calls',
  durationMs: 'duration_ms',
}
export const WINDOW_KEYS: StoredKeys = { compactionId: 'compaction_id' }

const CONDENSED: StoredKeys = {
  model: { name: 'model', inside: MODEL },
  ofCharacters: 'of_characters',
  beforeTokens: 'before_tokens',
  afterTokens: 'after_tokens',
  spentTokens: 'spent_tokens',
}

export const MODEL_KEYS = MODEL
export const SESSION_METADATA_KEYS: StoredKeys = {
  titledBy: 'titled_by',
  contextEstimated: 'context_estimated',
  prunedCopies: 'pruned_copies',
  subagent: {
    name: 'subagent',
    inside: { callerAgent: 'caller_agent', askId: 'ask_id' },
  },
}
export const MESSAGE_METADATA_KEYS: StoredKeys = {
  schemaVersion: 'schema_version',
  createdAt: 'created_at',
  runId: 'run_id',
  model: { name: 'model', inside: MODEL },
  usage: { name: 'usage', inside: USAGE },
  finishReason: 'finish_reason',
  systemPromptDigest: 'system_prompt_digest',
  instructionsCut: 'instructions_cut',
  promptLeftOut: 'prompt_left_out',
  durationMs: 'duration_ms',
  spent: { name: 'spent', inside: SPENDING },
  partDurationsMs: 'part_durations_ms',
  stepFigures: { name: 'step_figures', inside: STEP, each: true },
  countsOn: 'counts_on',
  snapshotId: 'snapshot_id',
  pausedQueue: 'paused_queue',
  subagentResult: { name: 'subagent_result', inside: { sessionId: 'session_id' } },
  window: { name: 'window', inside: WINDOW_KEYS },
  compactionId: 'compaction_id',
  leftOut: 'left_out',
  condensed: { name: 'condensed', inside: CONDENSED, each: true },
}
export const HISTORY_DETAIL_KEYS: StoredKeys = {
  lastSeq: 'last_seq',
  targetMessageId: 'target_message_id',
  toolCallId: 'tool_call_id',
  replacedMessageId: 'replaced_message_id',
  pointId: 'point_id',
  summaryMessageId: 'summary_message_id',
  summarySeq: 'summary_seq',
  tailStartId: 'tail_start_id',
  beforeTokens: 'before_tokens',
  afterTokens: 'after_tokens',
  summaryTokens: 'summary_tokens',
  leftOut: 'left_out',
  broughtBack: 'brought_back',
  partIds: 'part_ids',
  fromModel: { name: 'from_model', inside: MODEL },
  toModel: { name: 'to_model', inside: MODEL },
  branchId: 'branch_id',
  snapshotId: 'snapshot_id',
  previousSnapshotId: 'previous_snapshot_id',
  fileCount: 'file_count',
}

/** The JSON text of a value under its stored keys. */
export function stringifyStored(value: object, keys: StoredKeys): string {
  return JSON.stringify(renamed(value, keys))
}

/** The object of a stored JSON text; null when it is none, or nested too deep to be read. */
export function parseStored(json: string, keys: StoredKeys): Record<string, unknown> | null {
  const value = parseBounded(json)
  return isObject(value) ? readStored(value, keys) : null
}

/** A stored object under the names of the domain. */
export function readStored(value: object, keys: StoredKeys): Record<string, unknown> {
  return renamed(value, readingKeys(keys))
}

/** A key that is not stored under this name: read, it would take the place of the one that is. */
export function misnamedKey(value: object, keys: StoredKeys): string | null {
  for (const [key, inner] of Object.entries(value)) {
    const stored = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (stored === undefined) continue
    const misnamed = nameOf(stored) === key ? misnamedInside(inner, stored) : key
    if (misnamed !== null) return misnamed
  }
  return null
}

function misnamedInside(inner: unknown, stored: string | Nested): string | null {
  if (typeof stored === 'string' || !isObject(inner)) return null
  const nested = stored.each ? Object.values(inner).filter(isObject) : [inner]
  return nested.map((one) => misnamedKey(one, stored.inside)).find((found) => found !== null) ?? null
}

function nameOf(stored: string | Nested): string {
  return typeof stored === 'string' ? stored : stored.name
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function renamed(value: object, keys: StoredKeys): Record<string, unknown> {
  const entries = Object.entries(value)
  for (const entry of entries) {
    const [key, inner] = entry
    const stored = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (stored === undefined) continue
    entry[0] = nameOf(stored)
    if (typeof stored !== 'string') entry[1] = renamedInside(inner, stored)
  }
  return Object.fromEntries(entries)
}

function renamedInside(value: unknown, { inside, each }: Nested): unknown {
  if (!isObject(value)) return value
  if (!each) return renamed(value, inside)
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, one]) => [key, isObject(one) ? renamed(one, inside) : one]))
}

const reading = new WeakMap<StoredKeys, StoredKeys>()

/** The keys the other way round; made once, because a long session is ten thousand rows. */
function readingKeys(keys: StoredKeys): StoredKeys {
  const known = reading.get(keys) ?? reversed(keys)
  reading.set(keys, known)
  return known
}

function reversed(keys: StoredKeys): StoredKeys {
  return Object.fromEntries(
    Object.entries(keys).map(([key, stored]) =>
      typeof stored === 'string'
        ? [stored, key]
        : [stored.name, { ...stored, name: key, inside: reversed(stored.inside) }],
    ),
  )
}
