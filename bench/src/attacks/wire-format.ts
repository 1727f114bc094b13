/** Pieces of a streamed answer, as a provider's API writes them. */
export type WireFormat = {
  /** A kind of provider of the configuration. */
  kind: 'openai-compatible' | 'anthropic' | 'google'
  begin(): string
  text(delta: string): string
  openText(): string
  openCall(index: number): string
  argument(index: number, piece: string): string
  end(hasCalls: boolean): string
}

/** The tool that every server has. */
const TOOL = 'todo'

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const choice = (delta: object, finish_reason: string | null = null) =>
  event({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })

export const CHAT: WireFormat = {
  kind: 'openai-compatible',
  begin: () => choice({ role: 'assistant', content: '' }),
  openText: () => '',
  text: (content) => choice({ content }),
  openCall: (index) =>
    choice({
      tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: TOOL, arguments: '' } }],
    }),
  argument: (index, piece) => choice({ tool_calls: [{ index, function: { arguments: piece } }] }),
  end: (hasCalls) => `${choice({}, hasCalls ? 'tool_calls' : 'stop')}data: [DONE]\n\n`,
}

const USAGE = { input_tokens: 1, output_tokens: 1 }

export const ANTHROPIC: WireFormat = {
  kind: 'anthropic',
  begin: () => event({ type: 'message_start', message: { id: 'm', model: 'm1', usage: USAGE, content: [] } }),
  openText: () => event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  text: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  openCall: (index) =>
    event({
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_${index}`, name: TOOL, input: {} },
    }),
  argument: (index, partial_json) =>
    event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json } }),
  end: (hasCalls) =>
    [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: hasCalls ? 'tool_use' : 'end_turn' }, usage: USAGE },
      { type: 'message_stop' },
    ]
      .map(event)
      .join(''),
}

const parts = (part: object, finishReason?: string) =>
  event({
    candidates: [
      { index: 0, content: { role: 'model', parts: [part] }, ...(finishReason && { finishReason }) },
    ],
  })

/** Google sends the arguments of a call in one piece. */
export const GOOGLE: WireFormat = {
  kind: 'google',
  begin: () => '',
  openText: () => '',
  text: (text) => parts({ text }),
  openCall: () => '',
  argument: (_index, piece) => parts({ functionCall: { name: TOOL, args: { items: [piece] } } }),
  end: () => parts({ text: '' }, 'STOP'),
}
