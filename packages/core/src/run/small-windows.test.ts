import type { ProviderRequest } from '@palimpsest/testing/scripted-provider.ts'
import type { ReplyScript } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openWindowChat, type WindowModel } from '@palimpsest/testing/window-chat.ts'
import { requestTokens } from '@palimpsest/testing/window-provider.ts'
import { expect, test } from 'vitest'

const TURNS = 24
const MOST_REQUESTS = 3
/** The names of the tools that a request lists. */
function toolsOf(request: ProviderRequest | undefined): string[] {
  const tools = (request?.body['tools'] ?? []) as { function: { name: string } }[]
  return tools.map((tool) => tool.function.name)
}

const question = (turn: number) =>
  `Question ${turn}: ${'what do you think about the number in this line? '.repeat(4)}`
const answer = (turn: number, characters: number) => ({
  text: `Answer ${turn}. ${'This is a sentence about it. '.repeat(Math.ceil(characters / 29))}`.slice(
    0,
    characters,
  ),
})

test.for([
  { overflow: 'named', model: { contextLimit: 4_096, maxOutput: null }, characters: 400 },
  { overflow: 'named', model: { contextLimit: 4_096, maxOutput: null }, characters: 3_000 },
  { overflow: 'named', model: { contextLimit: 4_096, maxOutput: 4_096 }, characters: 1_500 },
  { overflow: 'cuts', model: { contextLimit: 4_096, maxOutput: null }, characters: 1_500 },
  { overflow: 'named', model: { contextLimit: null, maxOutput: null }, characters: 1_500 },
  { overflow: 'unnamed', model: { contextLimit: null, maxOutput: null }, characters: 1_500 },
] as const)(
  'SY-8 a chat of 24 turns in 4,096 tokens is answered to its end, with three requests a turn at most: %j',
  async ({ overflow, model, characters }) => {
    await using chat = await openWindowChat(4_096, overflow, model, (turn) => answer(turn, characters))
    for (let turn = 1; turn <= TURNS; turn++) {
      const { reason, error, requests } = await chat.ask(question(turn))
      expect({ turn, reason, error }).toEqual({ turn, reason: 'stop', error: undefined })
      expect(requests).toBeLessThanOrEqual(MOST_REQUESTS)
    }
    if (model.contextLimit !== null) expect(chat.server.over).toBe(0)
    expect(Math.max(...chat.lab.steps.map(requestTokens))).toBeGreaterThan(500)
  },
)

/** A turn whose model first calls a tool of the window, then answers. */
const withCall =
  (input: object, name = 'read') =>
  (turn: number, step: number): ReplyScript =>
    step === 1 ? { toolCalls: [{ name, input, id: `call_${turn}` }] } : answer(turn, 400)

test('SY-8 a server that cuts silently, and of which no window is known, cuts a few turns until its window is learned', async () => {
  const model = { contextLimit: null, maxOutput: null }
  await using chat = await openWindowChat(4_096, 'cuts', model, (turn) => answer(turn, 1_500))
  let cut = 0
  for (let turn = 1; turn <= TURNS; turn++) {
    const { reason, requests } = await chat.ask(question(turn))
    expect({ turn, reason }).toEqual({ turn, reason: 'stop' })
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS)
    if (turn === TURNS / 2) cut = chat.server.over
  }
  expect(cut).toBeGreaterThan(0)
  expect(chat.server.over).toBe(cut)
})

const SMALL: WindowModel = { contextLimit: 4_096, maxOutput: null }

test('SY-8 PR-3 turns with a large output of a tool are answered, and the model reads how to get the rest', async () => {
  await using chat = await openWindowChat(4_096, 'named', SMALL, withCall({ tokens: 30_000 }, 'find'))
  for (let turn = 1; turn <= TURNS; turn++) {
    const { reason, error, requests, steps, reply } = await chat.ask(question(turn))
    expect({ turn, reason, error, steps }).toEqual({ turn, reason: 'stop', error: undefined, steps: 2 })
    expect(requests - (steps - 1)).toBeLessThanOrEqual(MOST_REQUESTS)
    const call = reply?.parts.find(({ type }) => type === 'tool-find')
    expect(call).toMatchObject({ output: { text: expect.stringContaining('output:call_') } })
  }
  expect(chat.server.over).toBe(0)
})

test('SY-8 tools leave a small window in a fixed order, a search finds them, and a call of one that left is made', async () => {
  await using chat = await openWindowChat(4_096, 'named', SMALL, withCall({ todos: [] }, 'todo'))
  const { reply, reason } = await chat.ask(question(1))
  const named = reply?.metadata?.promptLeftOut
  const offered = toolsOf(chat.lab.steps[0])
  expect(offered).toEqual(['read', 'bash', 'find', 'tool_search'])
  expect(named?.tools).toEqual([
    'task',
    'memory_write',
    'web_search',
    'todo',
    'skill',
    'question',
    'web_fetch',
    'glob',
    'grep',
    'edit',
    'write',
  ])
  expect(reason).toBe('stop')
  expect(reply?.parts.find(({ type }) => type === 'tool-todo')).toMatchObject({ state: 'output-available' })
})
