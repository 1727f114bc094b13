import { failure } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openWindowChat } from '@palimpsest/testing/window-chat.ts'
import { expect, test } from 'vitest'

test.for([
  { bytes: 19_000, sent: 1 },
  { bytes: 40_000, sent: 0 },
])(
  'CP-12 a first message of $bytes bytes in a window of 8,192 tokens is sent where it fits, and else is named as too long',
  async ({ bytes, sent }) => {
    const model = { contextLimit: 8_192, maxOutput: null }
    await using chat = await openWindowChat(8_192, 'named', model, () => ({ text: 'An answer.' }))
    const { reason, error, steps } = await chat.ask('So what? '.repeat(Math.ceil(bytes / 9)))
    expect(steps).toBe(sent)
    if (sent > 0) expect(reason).toBe('stop')
    else
      expect(error).toMatchObject({ code: 'CONTEXT_EXHAUSTED', message: expect.stringContaining('too long') })
    expect(error?.message ?? '').not.toMatch(/branch|new chat|old tool results/)
    expect(chat.server.over).toBe(0)
  },
)

test('SY-8 CP-12 each of 26 turns with two calls is answered by a server that counts a reply of 1,024 tokens in its 4,096, and what is left out is named once', async () => {
  const model = { contextLimit: 4_096, maxOutput: 1_024 }
  const call = (turn: number, step: number) => ({
    toolCalls: [{ name: 'find', input: { tokens: 775 }, id: `call_${turn}_${step}` }],
  })
  await using chat = await openWindowChat(4_096, 'with-reply', model, (turn, step) =>
    step < 3 ? call(turn, step) : { text: `Answer ${turn}. ${'This is a sentence about it. '.repeat(14)}` },
  )
  const named: (string | undefined)[] = []
  for (let turn = 1; turn <= 26; turn++) {
    const { reason, error, reply } = await chat.ask(`Question ${turn}: what do you think about these lines?`)
    expect({ turn, reason, error }).toEqual({ turn, reason: 'stop', error: undefined })
    if (reply?.metadata?.promptLeftOut) named.push(reply.metadata.promptLeftOut.tools.join())
  }
  expect(chat.server.over).toBe(0)
  expect(new Set(named).size).toBe(named.length)
  expect(named.length).toBeGreaterThan(0)
  expect(named.length).toBeLessThanOrEqual(2)
}, 60_000)

test('SY-8 less of a known window is used after its server has refused what fits it, and the errors until then name the ways out', async () => {
  const model = { contextLimit: 8_192, maxOutput: null }
  await using chat = await openWindowChat(4_096, 'unnamed', model, (turn) => ({
    text: `Answer ${turn}. ${'This is a sentence about it. '.repeat(50)}`,
  }))
  const over: number[] = []
  for (let turn = 1; turn <= 40; turn++) {
    const { error } = await chat.ask(`Question ${turn}: ${'what do you think about the number? '.repeat(8)}`)
    if (error) expect(error.message).toMatch(/larger window.*old tool results.*branch.*new chat/)
    over.push(chat.server.over)
  }
  expect(over[19]).toBeGreaterThan(0)
  expect(over[39]).toBe(over[19])
}, 60_000)

test('CP-8 a step that is refused again after its compaction ends the turn with the ways out', async () => {
  const model = { contextLimit: 8_192, maxOutput: null }
  await using chat = await openWindowChat(8_192, 'unnamed', model, () => ({
    text: 'An answer. '.repeat(100),
  }))
  for (let turn = 1; turn <= 4; turn++) await chat.ask('What is it?')
  const refusal = failure(400, 'The prompt is too long.')
  chat.lab.provider.intercept(({ body }) =>
    JSON.stringify(body).includes('You write the summary') ? null : refusal,
  )
  const { error } = await chat.ask('And now?')
  expect(error).toMatchObject({
    code: 'CONTEXT_EXHAUSTED',
    message: expect.stringMatching(/larger window.*old tool results.*branch.*new chat/),
  })
})
