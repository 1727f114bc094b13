/** What a column holds: `id` is 1 to 128 letters, digits, `_` or `-`, `integer` never below 0; `?` allows null. */
export type ColumnType = 'id' | 'id?' | 'text' | 'text?' | 'integer' | 'integer?' | 'number'

/** The tables that carry a conversation, column by column as they are stored; JSON columns as the text in them. */
export const COLUMNS = {
  session: {
    id: 'id',
    title: 'text',
    agent: 'text',
    workspace_root: 'text?',
    worker_id: 'text?',
    model_json: 'text',
    parent_id: 'id?',
    parent_message_id: 'id?',
    permissions_json: 'text',
    metadata_json: 'text',
    prompt_tokens: 'integer',
    completion_tokens: 'integer',
    reasoning_tokens: 'integer',
    cache_read: 'integer',
    cache_write: 'integer',
    total_tokens: 'integer',
    context_tokens: 'integer',
    cost_usd: 'number',
    revision: 'integer',
    created_at: 'integer',
    updated_at: 'integer',
    archived_at: 'integer?',
  },
  message: {
    id: 'id',
    session_id: 'id',
    seq: 'integer?',
    role: 'text',
    metadata_json: 'text',
    hidden_at: 'integer?',
    hidden_by: 'text?',
    queued_at: 'integer?',
    created_at: 'integer',
    updated_at: 'integer',
  },
  part: {
    id: 'id',
    message_id: 'id',
    session_id: 'id',
    index: 'integer',
    type: 'text',
    data_json: 'text',
    tool_call_id: 'text?',
    tool_state: 'text?',
    pruned_at: 'integer?',
    created_at: 'integer',
    updated_at: 'integer',
  },
  history_op: { id: 'id', session_id: 'id', kind: 'text', detail_json: 'text', created_at: 'integer' },
  system_prompt: { digest: 'text', body: 'text' },
} as const satisfies Record<string, Record<string, ColumnType>>

export type ExportRowType = keyof typeof COLUMNS

type Value<C> = C extends 'id' | 'text'
  ? string
  : C extends 'id?' | 'text?'
    ? string | null
    : C extends 'integer?'
      ? number | null
      : number

/** A row of a table under its stored names. */
export type ExportRow<T extends ExportRowType> = {
  [Column in keyof (typeof COLUMNS)[T]]: Value<(typeof COLUMNS)[T][Column]>
}

/** All rows of one session; operations in the order in which they happened. */
export type ExportRows = {
  session: ExportRow<'session'>
  messages: ExportRow<'message'>[]
  parts: ExportRow<'part'>[]
  operations: ExportRow<'history_op'>[]
  systemPrompts: ExportRow<'system_prompt'>[]
}
