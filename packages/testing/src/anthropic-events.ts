export type Event = Record<string, unknown>

/** The event that begins a message of Anthropic. */
export function begin(usage: Event = { input_tokens: 10, output_tokens: 1 }): Event {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-own', content: [], usage }
  return { type: 'message_start', message }
}

/** The events of one block of its content. */
export function block(index: number, content_block: Event, ...deltas: Event[]): Event[] {
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

export function text(index: number, ...words: string[]): Event[] {
  return block(
    index,
    { type: 'text', text: '' },
    ...words.map((word) => ({ type: 'text_delta', text: word })),
  )
}

/** Pieces of a call's arguments. */
export function json(...pieces: string[]): Event[] {
  return pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))
}

/** A call of a tool that the provider carries out itself. */
export function serverCall(index: number, name: string, input: unknown): Event[] {
  const call = { type: 'server_tool_use', id: 'srvtoolu_1', name, input: {} }
  return block(index, call, ...json(JSON.stringify(input)))
}

/** What came of it. */
export function serverResult(index: number, type: string, content: unknown): Event[] {
  return block(index, { type, tool_use_id: 'srvtoolu_1', content })
}

/** The events that end the message. */
export function end(stop_reason: string | null = 'end_turn', usage: Event = { output_tokens: 20 }): Event[] {
  return [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}
