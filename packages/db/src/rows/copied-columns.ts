import {
  IMPORT_LIMITS,
  isObject,
  MESSAGE_METADATA_KEYS,
  parseStored,
  SESSION_METADATA_KEYS,
  stringifyStored,
  WINDOW_KEYS,
} from '@palimpsest/core/domain'

/** A value of a column. */
export type Value = string | number | null

/** Metadata under the names of the domain. */
type Metadata = Readonly<Record<string, unknown>>

export type MessageCopies = ReturnType<typeof messageCopies>
export type SessionCopies = ReturnType<typeof sessionCopies>

/**
 * The columns of `chat_messages` that are copied from its metadata by the statement that writes it: no query reads
 * inside JSON, which engines do differently. The JSON is what exports carry.
 */
export function messageCopies(metadata: Metadata) {
  const model = toObject(metadata['model'])
  const usage = toObject(metadata['usage'])
  const window = metadata['window']
  return {
    run_id: toText(metadata['runId']),
    provider_id: toText(model['providerId']),
    model_id: toText(model['modelId']),
    variant: toText(model['variant']),
    input_tokens: toCount(usage['input']),
    output_tokens: toCount(usage['output']),
    reasoning_tokens: toCount(usage['reasoning']),
    cache_read: toCount(usage['cacheRead']),
    cache_write: toCount(usage['cacheWrite']),
    steps: toCount(usage['steps']),
    usage_unknown: toFlag(usage['unknown'] === true),
    compaction_id: toText(metadata['compactionId']),
    window_json: isObject(window) ? stringifyStored(window, WINDOW_KEYS) : null,
    condensed: toFlag(isObject(metadata['condensed'])),
    system_prompt_digest: toText(metadata['systemPromptDigest']),
  } satisfies Record<string, Value>
}

/** The copies of a stored text; null and 0 when it cannot be read. */
export function storedMessageCopies(metadataJson: string): MessageCopies {
  return messageCopies(parseStored(metadataJson, MESSAGE_METADATA_KEYS) ?? {})
}

/** The columns of `chat_sessions` that are copied from its metadata. */
export function sessionCopies(metadata: Metadata) {
  const subagent = toObject(metadata['subagent'])
  const ancestors = subagent['ancestors']
  return {
    root_id: Array.isArray(ancestors) ? toText(ancestors[0]) : null,
    undelivered: subagent['undelivered'] === true ? 1 : null,
    ephemeral: toFlag(metadata['ephemeral'] === true),
    context_estimated: toFlag(metadata['contextEstimated'] === true),
  } satisfies Record<string, Value>
}

/** As `storedMessageCopies`. */
export function storedSessionCopies(metadataJson: string): SessionCopies {
  return sessionCopies(parseStored(metadataJson, SESSION_METADATA_KEYS) ?? {})
}

function toObject(value: unknown): Metadata {
  return isObject(value) ? value : {}
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function toFlag(value: boolean): 0 | 1 {
  return value ? 1 : 0
}

/** A count; 0 for what is none, or so large that sums would overflow. */
function toCount(value: unknown): number {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0
  return isCount && value <= IMPORT_LIMITS.tokensPerMessage ? value : 0
}
