/** One thing that a scripted reply does on the wire. */
export type ReplyStep =
  | { send: string | Uint8Array }
  /** Real milliseconds counted from the reply's first step, so that a slow step delays none after it. */
  | { atMs: number }
  | { until: Promise<unknown> }
  /** Destroys the connection. */
  | { cut: true }
  /** Sends nothing more until the client hangs up. */
  | { stall: true }

/** What the provider answers to one request. */
export type ScriptedReply = {
  status: number
  headers: Record<string, string>
  steps: Iterable<ReplyStep>
  /** The answer to a request that asked for no stream. */
  whole?: () => unknown
}

/** A tool call; its input is streamed in `pieces` of about equal size (default 3). */
export type ScriptedToolCall = { id?: string; name: string; input: unknown; pieces?: number }

/** Token counts in the chat-completions format. */
export type ChatUsage = {
  prompt_tokens: number
  completion_tokens: number
  total_tokens?: number
  prompt_tokens_details?: { cached_tokens: number }
  completion_tokens_details?: { reasoning_tokens: number }
}

export type ReplyScript = {
  reasoning?: Iterable<string>
  /** The deltas of the text, in order; a string is one delta. */
  text?: string | Iterable<string>
  toolCalls?: ScriptedToolCall[]
  /** Null reports none. Default: 10 prompt tokens and one completion token a delta. */
  usage?: ChatUsage | null
  /** Default: `tool_calls` with tool calls, else `stop`. */
  finishReason?: string
  /** Real milliseconds between deltas; 0 (the default) sends as fast as the client reads. */
  everyMs?: number
  /** Waits, before the delta with this number (from 0), for the promise. */
  hold?: { before: number; until: Promise<unknown> }
  /** How the reply ends after its last delta. Default `done`. */
  ending?: 'done' | 'cut' | 'garbage' | 'stall' | { error: unknown }
}

type Delta = { content?: string; reasoning_content?: string; tool_calls?: unknown[]; role?: 'assistant' }

/** A streamed chat-completions answer. */
export function reply(script: ReplyScript = {}): ScriptedReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    steps: { [Symbol.iterator]: () => steps(script) },
    whole: () => wholeReply(script),
  }
}

/** An HTTP error in the shape that OpenAI-compatible servers use. */
export function failure(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): ScriptedReply {
  const body = JSON.stringify({ error: { message, type: 'scripted_error', code: null } })
  return { status, headers: { 'content-type': 'application/json', ...headers }, steps: [{ send: body }] }
}

/**
 * A recorded stream, one event (JSON) a line. Formats whose events carry a `type` get it as the SSE event name;
 * `done` adds the `[DONE]` that ends a chat-completions stream.
 */
export function recording(lines: string[], options: { done: boolean }): ScriptedReply {
  const frames = lines.map((line) => ({ send: `${eventName(line)}data: ${line}\n\n` }))
  const end = options.done ? [{ send: 'data: [DONE]\n\n' }] : []
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, steps: [...frames, ...end] }
}

/** `count` deltas of the same text; can be iterated any number of times. */
export function deltas(count: number, text = 'word '): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index += 1) yield text
    },
  }
}

function* steps(script: ReplyScript): Generator<ReplyStep> {
  const { everyMs = 0, hold, usage, ending = 'done' } = script
  yield frame({ role: 'assistant', content: '' })
  let sent = 0
  for (const delta of allDeltas(script)) {
    if (hold?.before === sent) yield { until: hold.until }
    if (everyMs > 0) yield { atMs: sent * everyMs }
    yield frame(delta)
    sent += 1
  }
  if (hold?.before === sent) yield { until: hold.until }
  yield* endSteps(ending, () => closing(script, usage === undefined ? defaultUsage(sent) : usage))
}

function* endSteps(ending: NonNullable<ReplyScript['ending']>, close: () => string): Generator<ReplyStep> {
  if (ending === 'done') yield { send: close() }
  else if (ending === 'stall') yield { stall: true }
  else if (ending === 'garbage') yield { send: 'data: {"choices": [{"delta": \u0000 not json\n\n' }
  else if (ending === 'cut') {
    yield { send: 'data: {"id":"chatcmpl-scripted","choices":[{"index":0,"delta":{"cont' }
    yield { cut: true }
  } else yield { send: `data: ${JSON.stringify({ error: ending.error })}\n\n` }
}

function* allDeltas({ reasoning = [], text = [], toolCalls = [] }: ReplyScript): Generator<Delta> {
  for (const reasoning_content of reasoning) yield { reasoning_content }
  for (const content of typeof text === 'string' ? [text] : text) yield { content }
  for (const [index, call] of toolCalls.entries()) {
    const [first = '', ...rest] = pieces(JSON.stringify(call.input), call.pieces ?? 3)
    const head = { index, id: call.id ?? `call_${index}`, type: 'function' }
    yield { tool_calls: [{ ...head, function: { name: call.name, arguments: first } }] }
    for (const more of rest) yield { tool_calls: [{ index, function: { arguments: more } }] }
  }
}

function frame(delta: Delta): ReplyStep {
  return { send: sse({ choices: [{ index: 0, delta, finish_reason: null }] }) }
}

function closing(script: ReplyScript, usage: ChatUsage | null): string {
  const end = sse({ choices: [{ index: 0, delta: {}, finish_reason: finishReason(script) }] })
  const counted = usage === null ? '' : sse({ choices: [], usage: withTotal(usage) })
  return `${end}${counted}data: [DONE]\n\n`
}

function sse(fields: object): string {
  const envelope = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 0, model: 'scripted' }
  return `data: ${JSON.stringify({ ...envelope, ...fields })}\n\n`
}

function wholeReply(script: ReplyScript): unknown {
  const content = typeof script.text === 'string' ? script.text : [...(script.text ?? [])].join('')
  const tool_calls = script.toolCalls?.map((call, index) => ({
    id: call.id ?? `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }))
  const message = { role: 'assistant', content, ...(tool_calls && { tool_calls }) }
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: finishReason(script) }],
    ...(script.usage !== null && { usage: withTotal(script.usage ?? defaultUsage(1)) }),
  }
}

function finishReason(script: ReplyScript): string {
  return script.finishReason ?? (script.toolCalls?.length ? 'tool_calls' : 'stop')
}

function defaultUsage(completion: number): ChatUsage {
  return { prompt_tokens: 10, completion_tokens: completion }
}

function withTotal(usage: ChatUsage): ChatUsage {
  return { total_tokens: usage.prompt_tokens + usage.completion_tokens, ...usage }
}

function pieces(text: string, count: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / count))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size))
}

function eventName(line: string): string {
  const event: unknown = JSON.parse(line)
  const typed =
    typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string'
  return typed ? `event: ${event.type}\n` : ''
}
