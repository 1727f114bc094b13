const ZERO = { prompt_tokens: 0, completion_tokens: 0, reasoning_tokens: 0, cache_read: 0, cache_write: 0 }
const AT = { created_at: 1_000, updated_at: 1_000 }
const ENDED = { finish_reason: 'stop' }
const MODEL = '{"provider_id":"lab","model_id":"m1"}'

export type LongTalk = {
  id: string
  turns: number
  /** Characters of the tool output in each reply; 0 for replies without a tool. */
  output?: number
  /** The first tool output has a condensed form. */
  condensed?: true
  ephemeral?: boolean
}

/**
 * An export of a conversation on which every history operation can be applied. Messages are `<id>_1`, `<id>_2`, and
 * so on; the odd ones are questions.
 */
export function longTalk({ id, turns, output = 0, ephemeral = false, condensed }: LongTalk): string {
  const lines: object[] = []
  const row = (type: string, data: object) => lines.push({ type, data })
  row('session', {
    id,
    title: `Talk ${id}`,
    agent: 'assistant',
    workspace_root: null,
    worker_id: null,
    model_json: MODEL,
    parent_id: null,
    parent_message_id: null,
    permissions_json: '[]',
    metadata_json: ephemeral ? '{"ephemeral":true}' : '{}',
    ...ZERO,
    total_tokens: 0,
    context_tokens: 0,
    cost_usd: 0,
    revision: 1,
    ...AT,
    archived_at: null,
  })
  const seqs = Array.from({ length: 2 * turns }, (_, index) => index + 1)
  for (const seq of seqs) {
    const role = seq % 2 === 1 ? 'user' : 'assistant'
    const extra = { ...(role === 'assistant' && ENDED), ...(condensed && seq === 2 && formOf(output)) }
    const metadata_json = JSON.stringify({ schema_version: 1, created_at: 1_000, ...extra })
    const hidden = { hidden_at: null, hidden_by: null, queued_at: null }
    row('message', { id: `${id}_${seq}`, session_id: id, seq, role, metadata_json, ...hidden, ...AT })
  }
  for (const seq of seqs) {
    const parts: object[] = [
      { type: 'text', text: `What is said at place ${seq}. `.repeat(20), state: 'done' },
    ]
    if (output > 0 && seq % 2 === 0) {
      const call = { toolCallId: `call_${seq}`, state: 'output-available', input: {} }
      parts.unshift({ type: 'tool-find', ...call, output: 'found '.repeat(output / 6) })
    }
    for (const [index, part] of parts.entries()) {
      const { type, toolCallId = null, state } = part as Record<string, unknown>
      row('part', {
        id: `${id}_${seq}_${index}`,
        message_id: `${id}_${seq}`,
        session_id: id,
        index,
        type,
        data_json: JSON.stringify(part),
        tool_call_id: toolCallId,
        tool_state: toolCallId === null ? null : state,
        pruned_at: null,
        ...AT,
      })
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function formOf(characters: number): object {
  const tokens = { before_tokens: Math.round(characters / 4), after_tokens: 4, spent_tokens: 100 }
  const model = { provider_id: 'lab', model_id: 'm1' }
  const form = { text: 'Found it.', model, of_characters: 6 * Math.floor(characters / 6), ...tokens }
  return { condensed: { call_2: form } }
}
