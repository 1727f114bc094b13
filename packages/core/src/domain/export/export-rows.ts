/**
 * What a column holds: `id` is 1 to 128 letters, digits, `_` or `-`, `name` a text of 1 to 200 characters, `tokens` and
 * `count` sums, `place` and `index` numbers of an order, `time` epoch milliseconds; `?` allows null. `IMPORT_LIMITS` has
 * their bounds.
 */
export type ColumnType =
  | 'id'
  | 'id?'
  | 'name'
  | 'title'
  | 'text'
  | 'text?'
  | 'json'
  | 'count'
  | 'place?'
  | 'index'
  | 'time'
  | 'time?'
  | 'number'

/** The tables that carry a conversation, column by column as they are stored; JSON columns as the text in them. */
export const COLUMNS = {
  session: {
    id: 'id',
    title: 'title',
    agent: 'name',
    workspace_root: 'text?',
    worker_id: 'text?',
    model_json: 'json',
    parent_id: 'id?',
    parent_message_id: 'id?',
    permissions_json: 'json',
    metadata_json: 'json',
    prompt_tokens: 'count',
    completion_tokens: 'count',
    reasoning_tokens: 'count',
    cache_read: 'count',
    cache_write: 'count',
    total_tokens: 'count',
    context_tokens: 'count',
    cost_usd: 'number',
    revision: 'count',
    created_at: 'time',
    updated_at: 'time',
    archived_at: 'time?',
  },
  message: {
    id: 'id',
    session_id: 'id',
    seq: 'place?',
    role: 'name',
    metadata_json: 'json',
    hidden_at: 'time?',
    hidden_by: 'id?',
    queued_at: 'time?',
    created_at: 'time',
    updated_at: 'time',
  },
  part: {
    id: 'id',
    message_id: 'id',
    session_id: 'id',
    index: 'index',
    type: 'name',
    data_json: 'json',
    tool_call_id: 'text?',
    tool_state: 'text?',
    pruned_at: 'time?',
    created_at: 'time',
    updated_at: 'time',
  },
  history_op: { id: 'id', session_id: 'id', kind: 'name', detail_json: 'json', created_at: 'time' },
  system_prompt: { digest: 'name', body: 'text' },
} as const satisfies Record<string, Record<string, ColumnType>>

export type ExportRowType = keyof typeof COLUMNS

type Value<C> = C extends 'id' | 'name' | 'title' | 'text' | 'json'
  ? string
  : C extends 'id?' | 'text?'
    ? string | null
    : C extends 'place?' | 'time?'
      ? number | null
      : number

/** A row of a table under its stored names. */
export type ExportRow<T extends ExportRowType> = {
  [Column in keyof (typeof COLUMNS)[T]]: Value<(typeof COLUMNS)[T][Column]>
}

/** All rows of one session; operations in the order in which they happened. */
export type ExportRows = {
  session: ExportRow<'session'>
  /** When it was moved to the bin; null outside of it. */
  deletedAt: number | null
  messages: ExportRow<'message'>[]
  parts: ExportRow<'part'>[]
  operations: ExportRow<'history_op'>[]
  systemPrompts: ExportRow<'system_prompt'>[]
}
