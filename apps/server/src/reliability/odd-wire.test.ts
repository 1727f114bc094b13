import { readdirSync } from 'node:fs'
import { type ProviderRequest, reply, type ScriptedReply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { startTestServer } from '../testing/index.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { connect } from './connection.ts'

type Delta = { id?: unknown; type?: 'function'; function?: { name?: unknown; arguments?: unknown } }

const USAGE = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
const ARGS = JSON.stringify({ path: 'written.txt', content: 'x' })
const QUESTION = {
  question: 'Which?',
  options: Array.from({ length: 500 }, (_, at) => ({ label: `o${at}` })),
}

const delta = (index: unknown, fields: Delta) => ({
  choices: [{ index: 0, delta: { tool_calls: [{ index, ...fields }] }, finish_reason: null }],
})
const call = (id: unknown, name: unknown = 'write', args: unknown = ARGS, index: unknown = 0) =>
  delta(index, { id, type: 'function', function: { name, arguments: args } })
const end = (reason: string | null = 'tool_calls') => ({
  choices: [{ index: 0, delta: {}, finish_reason: reason }],
})
const whole = (...frames: object[]) => [...frames, end(), USAGE]

/** Steps of a turn by what is odd about them, as frames of a stream, and how many asks they make. */
const TURNS: Record<string, { asks: number; steps: object[][] }> = {
  'the same id twice in a step': { asks: 2, steps: [whole(call('a'), call('a', 'write', ARGS, 1))] },
  'the same id in three steps': { asks: 3, steps: [whole(call('a')), whole(call('a')), whole(call('a'))] },
  'an id of 10,000 characters': { asks: 1, steps: [whole(call('i'.repeat(10_000)))] },
  'empty ids, and none': {
    asks: 4,
    steps: [whole(call('')), whole(call('')), whole(call(null)), whole(call(undefined))],
  },
  'an id that is a number': { asks: 0, steps: [whole(call(7))] },
  'arguments in a piece for each character': {
    asks: 1,
    steps: [
      whole(
        call('a', 'write', ''),
        ...[...ARGS].map((piece) => delta(0, { function: { arguments: piece } })),
      ),
    ],
  },
  'arguments that are no object': {
    asks: 0,
    steps: ['[1]', 'null', '7', '"x"', '', '{"path":', '{}{}'].map((args, at) =>
      whole(call(`a${at}`, 'write', args)),
    ),
  },
  'arguments that are no text': { asks: 0, steps: [whole(call('a', 'write', { path: 'written.txt' }))] },
  'names that no tool has': {
    asks: 0,
    steps: ['a b', 'naïve ツ', 'n'.repeat(10_000), 'write\n', ' write', 'toString', '__proto__'].map(
      (name, at) => whole(call(`a${at}`, name)),
    ),
  },
  'an empty name': { asks: 0, steps: [whole(call('a', ''))] },
  'an index of 5,000, one below zero and none': {
    asks: 3,
    steps: [5_000, -1, undefined].map((index, at) => whole(call(`a${at}`, 'write', ARGS, index))),
  },
  'two calls of one index': { asks: 2, steps: [whole(call('a'), call('b'))] },
  '200 calls in a step': {
    asks: 0,
    steps: [whole(...Array.from({ length: 200 }, (_, at) => call(`a${at}`, 'write', ARGS, at)))],
  },
  ...Object.fromEntries(
    ['length', 'content_filter', 'odd'].map((reason) => [
      `a call that ends with ${reason}`,
      // An answer whose reason is unknown is whole.
      { asks: reason === 'odd' ? 1 : 0, steps: [[call('a'), end(reason), USAGE]] },
    ]),
  ),
  'a call after the end of its step': { asks: 1, steps: [[end('stop'), call('a'), USAGE]] },
  'a step that ends twice': { asks: 1, steps: [[call('a'), end(), end('stop'), USAGE]] },
  'a call whose step does not end': { asks: 0, steps: [[call('a')]] },
  'an error after a call': { asks: 0, steps: [[call('a'), { error: { message: 'Boom' } }]] },
  'a call in the second of two choices': {
    asks: 0,
    steps: [
      [
        {
          choices: [
            { index: 0, delta: { content: 'Hi' } },
            { ...call('a').choices[0], index: 1 },
          ],
        },
        end('stop'),
      ],
    ],
  },
  'an old function call': {
    asks: 0,
    steps: [
      [
        { choices: [{ index: 0, delta: { function_call: { name: 'write', arguments: ARGS } } }] },
        end('function_call'),
      ],
    ],
  },
  'no choices, and deltas that are null': {
    asks: 0,
    steps: [[{ choices: [] }, { choices: [{}] }, { choices: [{ index: 0, delta: null }] }, end('stop')]],
  },
  'a question of 500 options': {
    asks: 0,
    steps: [whole(call('a', 'question', JSON.stringify({ questions: [QUESTION] })))],
  },
}

/** What a server streams for these frames. */
function stream(frames: readonly object[]): ScriptedReply {
  const common = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm1' }
  const steps = frames.map((frame) => ({ send: `data: ${JSON.stringify({ ...common, ...frame })}\n\n` }))
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [...steps, { send: 'data: [DONE]\n\n' }],
  }
}

test('RL-7 PE-2 a turn of odd calls ends, asks about what it could write, writes nothing that is denied, and the chat goes on', {
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder()
  await using server = await startTestServer({ workspaces: [folder.path] })
  using connection = connect(server.url)
  const { api } = connection
  const left = new Map<string, object[][]>()
  // The scripted provider refuses a conversation that an API would refuse.
  server.provider.otherwise(({ body }: ProviderRequest) => {
    const messages = body['messages'] as { role: string; content: unknown }[]
    const prompt = messages.findLast(({ role, content }) => role === 'user' && left.has(String(content)))
    const step = left.get(String(prompt?.content))?.shift()
    return step === undefined ? reply({ text: 'Done' }) : stream(step)
  })

  async function untilIdle(sessionId: string): Promise<number> {
    let denied = 0
    await vi.waitFor(async () => {
      for (const { id } of (await api.permission.pending.query({ sessionId })).items) {
        await api.permission.reply.mutate({ permissionId: id, reply: 'deny' })
        denied += 1
      }
      for (const { id } of (await api.question.pending.query({ sessionId })).items)
        await api.question.answer.mutate({ questionId: id, answers: [['o1']] })
      expect(['idle', 'error']).toContain((await api.session.status.query({ sessionId })).state)
    }, 30_000)
    return denied
  }

  for (const [index, [what, { asks, steps }]] of Object.entries(TURNS).entries()) {
    const sessionId = `s${index}`
    const say = (text: string) =>
      api.session.send.mutate({ sessionId, message: { parts: [{ type: 'text', text }] } })
    left.set(what, [...steps])
    const model = { providerId: 'lab', modelId: 'm1' }
    await api.session.create.mutate({ id: sessionId, model, workspaceRoot: folder.path })
    await say(what)
    expect([what, await untilIdle(sessionId)]).toEqual([what, asks])
    left.delete(what)
    await say('And now?')
    await untilIdle(sessionId)
    const { items } = await api.session.messages.query({ sessionId, limit: 10 })
    expect([what, items.at(-1)?.metadata?.finishReason]).toEqual([what, 'stop'])
    expect([what, readdirSync(folder.path)]).toEqual([what, []])
  }
})
