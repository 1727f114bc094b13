import { begin, block, end, json, serverCall } from './anthropic-events.ts'
import { recordingOf } from './provider-streams.ts'
import type { ScriptedReply } from './scripted-provider-reply.ts'

type Event = Record<string, unknown>

/** What an answer consists of, in this order. */
export type AnswerScript = {
  thought?: string
  text?: string
  call?: { id: string; name: string; input: unknown }
  /** Calls a tool of the provider's own, without a result, where the format has such tools. */
  hosted?: boolean
}

/** The same answer in the format of a folder of streams. */
export function writtenAnswer(folder: string, script: AnswerScript): ScriptedReply {
  const lines = eventsOf(folder, script).map((event) => JSON.stringify(event))
  return recordingOf({ folder, lines })
}

function eventsOf(folder: string, script: AnswerScript): Event[] {
  if (folder === 'anthropic-messages') return ofAnthropic(script)
  if (folder === 'openai-responses') return ofResponses(script)
  return folder === 'google-messages' ? ofGoogle(script) : ofChat(script)
}

function ofAnthropic({ thought, text, call, hosted }: AnswerScript): Event[] {
  const signature = { type: 'signature_delta', signature: 'own-signature' }
  const blocks = [
    thought === undefined
      ? []
      : block(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: thought },
          signature,
        ),
    text === undefined ? [] : block(1, { type: 'text', text: '' }, { type: 'text_delta', text }),
    hosted ? serverCall(2, 'web_search', { query: 'ink' }) : [],
    call === undefined
      ? []
      : block(
          3,
          { type: 'tool_use', id: call.id, name: call.name, input: {} },
          ...json(JSON.stringify(call.input)),
        ),
  ]
  return [begin(), ...blocks.flat(), ...end(call === undefined ? 'end_turn' : 'tool_use')]
}

function ofResponses({ thought, text, call, hosted }: AnswerScript): Event[] {
  const item = (output_index: number, of: Event, ...between: Event[]): Event[] => [
    { type: 'response.output_item.added', output_index, item: { ...of, status: 'in_progress' } },
    ...between,
    { type: 'response.output_item.done', output_index, item: { ...of, status: 'completed' } },
  ]
  const message = { type: 'message', id: 'msg_1', role: 'assistant', content: [] }
  const delta = {
    type: 'response.output_text.delta',
    output_index: 1,
    item_id: 'msg_1',
    content_index: 0,
    delta: text,
  }
  const search = { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'ink' } }
  const items = [
    thought === undefined
      ? []
      : item(0, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: thought }),
    text === undefined ? [] : item(1, message, delta),
    hosted ? item(2, search).slice(0, 1) : [],
    call === undefined
      ? []
      : item(3, {
          type: 'function_call',
          id: 'fc_1',
          call_id: call.id,
          name: call.name,
          arguments: JSON.stringify(call.input),
        }),
  ]
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: 'response.created', response: { id: 'r', created_at: 0, model: 'gpt-own', output: [] } },
    ...items.flat(),
    { type: 'response.completed', response: { id: 'r', output: [], usage } },
  ]
}

function ofChat({ thought, text, call }: AnswerScript): Event[] {
  const delta = (fields: Event): Event => ({
    id: 'c',
    choices: [{ index: 0, delta: fields, finish_reason: null }],
  })
  const asked = call && { name: call.name, arguments: JSON.stringify(call.input) }
  return [
    ...(thought === undefined ? [] : [delta({ reasoning_content: thought })]),
    ...(text === undefined ? [] : [delta({ content: text })]),
    ...(call === undefined
      ? []
      : [delta({ tool_calls: [{ index: 0, id: call.id, type: 'function', function: asked }] })]),
    {
      id: 'c',
      choices: [{ index: 0, delta: {}, finish_reason: call === undefined ? 'stop' : 'tool_calls' }],
    },
  ]
}

function ofGoogle({ thought, text, call }: AnswerScript): Event[] {
  const part = (fields: Event, finishReason?: string): Event => ({
    candidates: [
      { content: { parts: [fields], role: 'model' }, index: 0, ...(finishReason && { finishReason }) },
    ],
  })
  return [
    ...(thought === undefined ? [] : [part({ text: thought, thought: true })]),
    ...(text === undefined ? [] : [part({ text })]),
    ...(call === undefined
      ? []
      : [part({ functionCall: { name: call.name, args: call.input }, thoughtSignature: 'own-signature' })]),
    part({ text: '', thoughtSignature: 'own-end' }, 'STOP'),
  ]
}
