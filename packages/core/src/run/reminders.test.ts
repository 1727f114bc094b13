import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

const done = reply({ text: 'Done' })
const read = (path: string) => ({ name: 'read', input: { path }, id: `call_${path}` })
const todo = (id: string, status: string) => ({
  name: 'todo',
  input: { todos: [{ content: 'Write it down', status }] },
  id,
})

async function openLab(tables = createMemoryTables(), texts: Record<string, string> = { 'a.txt': 'one\n' }) {
  const files = createMemoryFiles(texts)
  const lab = await openCoreLab({ files, store: createMemoryStore(tables) })
  const set = (path: string, content: string) => files.contents.set(path, new TextEncoder().encode(content))
  return Object.assign(lab, { files, set })
}

/** The reminders in each request, by their first words. */
function remindersIn(lab: CoreLab): string[][] {
  return lab.steps.map(({ body }) =>
    (body['messages'] as { content: unknown }[]).flatMap(({ content }) => {
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      return [...text.matchAll(/<reminder>(\S+ \S+ \S+)/g)].map(([, words]) => words ?? '')
    }),
  )
}

const PLAN = 'This chat is'
const LEFT = 'This chat has'
const FILES = 'These files are'
const TASKS = 'Your list of'

const kindsOf = async (lab: CoreLab, sessionId: string) =>
  (await lab.sessions.messages({ sessionId })).items.flatMap(({ role, metadata }) =>
    role === 'assistant' ? [(metadata?.reminders ?? []).map(({ kind, step }) => `${kind} ${step}`)] : [],
  )

test('SY-6 plan mode is named in one request when it is entered and in one when it is left', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(id, 'plan')
  lab.provider.script(done, done, done, done)
  await lab.turn('One', id)
  await lab.turn('Two', id)
  await lab.sessions.permissions.setMode(id, 'ask')
  await lab.turn('Three', id)
  await lab.turn('Four', id)
  expect(remindersIn(lab)).toEqual([[PLAN], [], [LEFT], []])
  expect(await kindsOf(lab, id)).toEqual([['plan-entered 1'], [], ['plan-left 1'], []])
})

test('SY-6 a mode that changes during a reply is named with its next model call', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({})
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ toolCalls: [read('a.txt')], hold: { before: 0, until: gate.promise } }), done)
  const { runId } = await lab.say('Go', id)
  await expect.poll(() => lab.steps.length).toBe(1)
  await lab.sessions.permissions.setMode(id, 'plan')
  gate.resolve()
  await lab.chunksOf(id, runId)
  expect(remindersIn(lab)).toEqual([[], [PLAN]])
  expect(await kindsOf(lab, id)).toEqual([['plan-entered 2']])
})

test('SY-6 files that others change are named once, and again once they change again', async () => {
  await using lab = await openLab()
  lab.provider.script(reply({ toolCalls: [read('a.txt')] }), done, done, done, done)
  const { sessionId } = await lab.turn('Look')
  lab.set('a.txt', 'two\n')
  await lab.turn('Two', sessionId)
  await lab.turn('Three', sessionId)
  lab.files.contents.delete('a.txt')
  await lab.turn('Four', sessionId)
  expect(remindersIn(lab)).toEqual([[], [], [FILES], [], [FILES]])
})

test('SY-6 a file that changes during a reply is named once 30 s have passed since the files were compared', async () => {
  const clock = createFakeClock()
  const files = createMemoryFiles({ 'a.txt': 'one\n' })
  await using lab = await openCoreLab({ files, clock })
  const change = (text: string) => files.contents.set('a.txt', new TextEncoder().encode(text))
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [first, second] = gates.map(({ promise }) => ({ before: 0, until: promise }))
  lab.provider.script(
    reply({ toolCalls: [read('a.txt')] }),
    reply({
      toolCalls: [{ name: 'todo', input: { todos: [] }, id: 'call_1' }],
      ...(first && { hold: first }),
    }),
    reply({
      toolCalls: [{ name: 'todo', input: { todos: [] }, id: 'call_2' }],
      ...(second && { hold: second }),
    }),
    done,
  )
  const { sessionId, runId } = await lab.say('Go')
  await expect.poll(() => lab.steps.length).toBe(2)
  change('two\n')
  gates[0]?.resolve()
  await expect.poll(() => lab.steps.length).toBe(3)
  clock.advance(30_000)
  gates[1]?.resolve()
  await lab.chunksOf(sessionId, runId)
  expect(remindersIn(lab)).toEqual([[], [], [], [FILES]])
})

test('SY-6 an unfinished list of tasks is recalled at the start of the next turn only', async () => {
  await using lab = await openLab()
  lab.provider.script(reply({ toolCalls: [todo('call_1', 'pending')] }), done, done, done)
  const { sessionId } = await lab.turn('Go')
  await lab.turn('And?', sessionId)
  await lab.turn('So?', sessionId)
  expect(remindersIn(lab)).toEqual([[], [], [TASKS], []])
})

test('SY-6 SY-2 each reply keeps the exact text of its reminders, which are no messages', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(id, 'plan')
  lab.provider.script(done)
  const { messages } = await lab.turn('One', id)
  const [kept] = messages[1]?.metadata?.reminders ?? []
  expect(messages).toHaveLength(2)
  expect(JSON.stringify(lab.steps[0]?.body['messages'])).toContain(`<reminder>${kept?.text}</reminder>`)
  expect(kept?.step).toBe(1)
})

test('SY-6 SY-5 a reminder leaves the system prompt and the messages before it as they are', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({})
  lab.provider.script(done, done, done)
  await lab.turn('One', id)
  await lab.sessions.permissions.setMode(id, 'plan')
  await lab.turn('Two', id)
  await lab.turn('Three', id)
  const [first, second, third] = lab.steps.map(({ body }) => body['messages'] as object[])
  expect(second?.slice(0, first?.length)).toEqual(first)
  expect(third?.slice(0, (second?.length ?? 0) - 1)).toEqual(second?.slice(0, -1))
})

test('SY-6 a restart repeats no reminder', async () => {
  const tables = createMemoryTables()
  let id: string
  {
    await using lab = await openLab(tables)
    ;({ id } = await lab.sessions.create({}))
    await lab.sessions.permissions.setMode(id, 'plan')
    lab.provider.script(done)
    await lab.turn('One', id)
    expect(remindersIn(lab)).toEqual([[PLAN]])
  }
  await using again = await openLab(tables)
  again.provider.script(done)
  await again.turn('Two', id)
  expect(remindersIn(again)).toEqual([[]])
})

test('SY-6 what a rewind hides is due again, and a branch takes its reminders with it', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({})
  lab.provider.script(done, done, done, done)
  const { messages } = await lab.turn('One', id)
  await lab.sessions.permissions.setMode(id, 'plan')
  const second = await lab.turn('Two', id)
  const asked = second.messages[2]?.id ?? ''
  const last = second.messages[3]?.id ?? ''
  expect(messages).toHaveLength(2)
  const branch = await lab.sessions.history.branch({ sessionId: id, fromMessageId: last })
  await lab.turn('In the branch', branch.id)
  await lab.sessions.history.rewind({ sessionId: id, messageId: asked })
  await lab.turn('Two again', id)
  expect(remindersIn(lab)).toEqual([[], [PLAN], [LEFT], [PLAN]])
})

test('SY-6 a reminder whose model call fails before it answers is due again', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(id, 'plan')
  lab.provider.script({ status: 400, headers: {}, steps: [{ send: '{"error":{"message":"No"}}' }] }, done)
  await lab.turn('One', id)
  await lab.turn('Two', id)
  expect(remindersIn(lab)).toEqual([[PLAN], [PLAN]])
})
