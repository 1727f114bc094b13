import { expect, test } from 'vitest'
import type { McpServerSettings } from '../adapters/mcp/mcp-servers.ts'
import { openCoreWithMcp, openMcpHost } from '../testing/mcp/core-with-mcp.ts'
import { startLabHttp } from '../testing/mcp/http-server.ts'
import { labProgram } from '../testing/mcp/lab-settings.ts'

type Core = Awaited<ReturnType<typeof openCoreWithMcp>>

function earlierProgram(): McpServerSettings {
  const program = labProgram()
  return program.kind === 'stdio' ? { ...program, args: [...program.args, 'legacy'] } : program
}

const PROGRAMS = [
  ['the current revision', labProgram],
  ['an earlier revision', earlierProgram],
] as const

/** Has a tool called that asks, and waits until a person is asked. */
async function askFor(core: Core, line: string, sessionId?: string) {
  const id = sessionId ?? (await core.newSession())
  const asked = core.event((event) => event.type === 'question-asked')
  await core.say(line, id)
  await asked
  await expect.poll(() => core.sessions.status(id)).toMatchObject({ state: 'waiting', waitingOn: 'answer' })
  const [question] = await core.sessions.questions.pending(id)
  if (question === undefined) throw new Error('Nothing was asked.')
  return { id, question }
}

const settled = async (core: Core, id: string) =>
  await expect.poll(() => core.sessions.status(id), { timeout: 10_000 }).toEqual({ state: 'idle' })

test.each(PROGRAMS)('MC-2 a server of %s asks a person, who answers', async (_what, program) => {
  await using host = await openMcpHost()
  await using core = await openCoreWithMcp(host, [program()])
  const { id, question } = await askFor(core, 'lab_book {}')
  expect(question).toMatchObject({
    form: { server: 'lab', message: 'Whom is it for?' },
    questions: [
      { question: 'Your name' },
      { question: 'seats', preset: ['2'], optional: true },
      { question: 'meal', preset: ['fish'], closed: true },
      { question: 'notify', preset: ['Yes'], closed: true },
    ],
  })
  expect(core.core.activeRuns).toBe(0)
  const wrong = core.sessions.questions.answer(question.id, [['Ada'], ['11'], [], []])
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'answers.1' })
  await core.sessions.questions.answer(question.id, [['Ada'], ['3'], ['meat'], []])
  await settled(core, id)
  expect(await core.lastCall(id)).toMatchObject({
    state: 'output-available',
    output: {
      text: '{"action":"accept","content":{"name":"Ada","seats":3,"meal":"meat","notify":true}}',
    },
  })
})

test.each(PROGRAMS)('MC-2 a person declines or closes the form of a server of %s', async (_what, program) => {
  await using host = await openMcpHost()
  await using core = await openCoreWithMcp(host, [program()])
  const id = await core.newSession()
  for (const refused of ['decline', 'cancel'] as const) {
    const { question } = await askFor(core, 'lab_book {}', id)
    await core.sessions.questions.answer(question.id, [], refused)
    await settled(core, id)
    expect(await core.lastCall(id)).toMatchObject({ output: { text: `{"action":"${refused}"}` } })
  }
})

test.each(PROGRAMS)('MC-2 a call of a server of %s may ask several times', async (_what, program) => {
  await using host = await openMcpHost()
  await using core = await openCoreWithMcp(host, [program()])
  const { id, question } = await askFor(core, 'lab_steps {}')
  expect(question.form?.message).toBe('first')
  const next = core.event((event) => event.type === 'question-asked')
  await core.sessions.questions.answer(question.id, [['one']])
  const second = await next
  expect(second).toMatchObject({ question: { form: { message: 'second' } } })
  const [open] = await core.sessions.questions.pending(id)
  await core.sessions.questions.answer(open?.id ?? '', [['two']])
  await settled(core, id)
  const accepted = ['one', 'two'].map((word) => ({ action: 'accept', content: { word } }))
  expect(await core.lastCall(id)).toMatchObject({ output: { text: JSON.stringify(accepted) } })
})

test.each(PROGRAMS)('MC-2 where nobody can be asked, a form of %s is declined', async (_what, program) => {
  await using host = await openMcpHost()
  await using core = await openCoreWithMcp(host, [program()], { headless: true })
  const id = await core.newSession()
  await core.turn('lab_book {}', id)
  expect(await core.lastCall(id)).toMatchObject({ output: { text: '{"action":"decline"}' } })
})

test.each(PROGRAMS)('MC-2 a form of %s that is beyond the limits ends its call', async (_what, program) => {
  await using host = await openMcpHost()
  await using core = await openCoreWithMcp(host, [program()])
  const id = await core.newSession()
  await core.turn('lab_greedy {}', id)
  expect(await core.lastCall(id)).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('more than 20 fields'),
  })
  await core.turn('lab_echo {"text":"on"}', id)
  expect(await core.lastCall(id)).toMatchObject({ output: { text: 'echo: on' } })
})

test('MC-2 a form outlives its host, and the answer continues the call', async () => {
  await using host = await openMcpHost()
  await using server = await startLabHttp()
  const settings: McpServerSettings[] = [
    { kind: 'http', name: 'lab', url: server.url, headers: {}, signInServers: [], secrets: [] },
  ]
  const asked = await (async () => {
    await using core = await openCoreWithMcp(host, settings)
    return await askFor(core, 'lab_steps {}')
  })()
  await using core = await openCoreWithMcp(host, settings)
  await core.core.recover()
  const [question] = await core.sessions.questions.pending(asked.id)
  expect(question).toEqual(asked.question)
  const next = core.event((event) => event.type === 'question-asked')
  await core.sessions.questions.answer(asked.question.id, [['one']])
  await next
  const [second] = await core.sessions.questions.pending(asked.id)
  await core.sessions.questions.answer(second?.id ?? '', [['two']])
  await settled(core, asked.id)
  expect(await core.lastCall(asked.id)).toMatchObject({
    output: { text: expect.stringMatching(/"one".*"two"/) },
  })
})

test('MC-2 a call that a server of an earlier revision kept open ends with its host, and is not made again', async () => {
  await using host = await openMcpHost()
  const asked = await (async () => {
    await using core = await openCoreWithMcp(host, [earlierProgram()])
    return await askFor(core, 'lab_book {}')
  })()
  await using core = await openCoreWithMcp(host, [earlierProgram()])
  await core.core.recover()
  await core.sessions.questions.answer(asked.question.id, [['Ada'], [], [], []])
  await settled(core, asked.id)
  expect(await core.lastCall(asked.id)).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('It may have had effects.'),
  })
  expect(await core.sessions.questions.pending(asked.id)).toEqual([])
})

test('MC-2 a call whose server is gone when its form is answered says that it had begun', async () => {
  await using host = await openMcpHost()
  const asked = await (async () => {
    await using core = await openCoreWithMcp(host, [labProgram()])
    return await askFor(core, 'lab_book {}')
  })()
  await using core = await openCoreWithMcp(host, [])
  await core.core.recover()
  await core.sessions.questions.answer(asked.question.id, [['Ada'], [], [], []])
  await settled(core, asked.id)
  expect(await core.lastCall(asked.id)).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('It may have had effects.'),
  })
})

test.each(PROGRAMS)('MC-2 an abort closes the form of %s, and the server goes on', async (_what, program) => {
  await using host = await openMcpHost()
  await using core = await openCoreWithMcp(host, [program()])
  const { id } = await askFor(core, 'lab_book {}')
  await core.sessions.abort(id)
  await settled(core, id)
  expect(await core.sessions.questions.pending(id)).toEqual([])
  await core.turn('lab_echo {"text":"on"}', id)
  expect(await core.lastCall(id)).toMatchObject({ output: { text: 'echo: on' } })
})

test('MC-2 a form takes one answer for each of its fields', async () => {
  await using host = await openMcpHost()
  await using core = await openCoreWithMcp(host, [labProgram()])
  const { question } = await askFor(core, 'lab_book {}')
  const tooFew = core.sessions.questions.answer(question.id, [['Ada']])
  await expect(tooFew).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'answers' })
})
