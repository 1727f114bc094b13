import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { failure, reply, type ScriptedReply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../domain/session/event.ts'

type TitleEvent = Extract<SessionEvent, { type: 'title' }>

const isTitle = (event: SessionEvent): event is TitleEvent => event.type === 'title'
const isTitled =
  (title: string) =>
  (event: SessionEvent): event is TitleEvent =>
    isTitle(event) && event.title === title

/** Answers requests for a title with this. */
function titleWith(lab: CoreLab, answer: ScriptedReply): Promise<void> {
  const asked = Promise.withResolvers<void>()
  lab.provider.intercept(({ body }) => {
    if (body['stream'] === true) return null
    asked.resolve()
    return answer
  })
  return asked.promise
}

const never: ScriptedReply = { status: 200, headers: {}, steps: [{ stall: true }] }

test('RU-7 a session is named after its first message, in the background', async () => {
  await using lab = await openCoreLab()
  titleWith(lab, reply({ text: '"A day in the park."\nand more' }))
  lab.provider.script(reply({ text: 'Done' }), reply({ text: 'Done' }))
  const named = lab.event(isTitled('A day in the park'))
  const { sessionId } = await lab.turn('Describe a garden')
  expect(await named).toMatchObject({ sessionId })
  expect(await lab.sessions.get(sessionId)).toMatchObject({
    title: 'A day in the park',
    metadata: { titledBy: 'generated' },
  })
  await lab.turn('And another', sessionId)
  expect(lab.provider.requests.filter(({ body }) => body['stream'] !== true)).toHaveLength(1)
})

test('RU-7 a title that never comes delays nothing, and stops with the host', async () => {
  await using lab = await openCoreLab()
  const asked = titleWith(lab, never)
  lab.provider.script(reply({ text: 'Done' }), reply({ text: 'Again' }))
  const { sessionId } = await lab.turn('Go')
  await asked
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  const { messages } = await lab.turn('Go on', sessionId)
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Again' })
  await lab.core.shutdown(0)
  expect((await lab.sessions.get(sessionId)).title).toBe('Go')
})

test('UI-35 a session has the first words of its first message as its title while the reply is still awaited', async () => {
  await using lab = await openCoreLab()
  titleWith(lab, failure(500, 'Oops'))
  lab.provider.script(reply({ text: 'Done' }))
  const named = lab.event(isTitle)
  await lab.turn(`What  is\n${'a very long word, '.repeat(20)}`)
  const { title } = await named
  expect(title.startsWith('What is a very long word,')).toBe(true)
  expect(title.length).toBeLessThanOrEqual(80)
})

test('UI-35 a chat whose first reply failed keeps the first words as its title, without a model call', async () => {
  await using lab = await openCoreLab()
  titleWith(lab, reply({ text: 'Generated' }))
  lab.provider.script(failure(400, 'No such thing'))
  const named = lab.event(isTitle)
  await lab.turn('Describe a garden')
  expect(await named).toMatchObject({ title: 'Describe a garden' })
  expect(lab.provider.requests).toHaveLength(1)
})

test('RU-7 a generated title never replaces a person’s, not even in a race', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  const body = JSON.stringify(reply({ text: 'Generated' }).whole?.())
  const headers = { 'content-type': 'application/json' }
  const asked = titleWith(lab, { status: 200, headers, steps: [{ until: gate.promise }, { send: body }] })
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId } = await lab.turn('Go')
  await asked
  await lab.sessions.rename(sessionId, '  Mine  ')
  gate.resolve()
  await lab.core.shutdown(1_000)
  expect(await lab.sessions.get(sessionId)).toMatchObject({ title: 'Mine', metadata: { titledBy: 'user' } })
})

test('RU-7 a session that was created with a title is never named', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { id } = await lab.sessions.create({ title: 'New chat' })
  await lab.turn('Go', id)
  await lab.core.shutdown(0)
  expect(await lab.sessions.get(id)).toMatchObject({ title: 'New chat', metadata: { titledBy: 'user' } })
  expect(lab.provider.requests).toHaveLength(1)
})

test('UI-35 the first words are the title before the first reply begins, and a person’s rename replaces them', async () => {
  await using lab = await openCoreLab()
  titleWith(lab, reply({ text: 'Generated' }))
  lab.provider.script(never)
  const { id } = await lab.sessions.create({})
  await lab.sessions.send({
    sessionId: id,
    message: { parts: [{ type: 'text', text: 'Describe  a\ngarden' }] },
  })
  expect(await lab.sessions.get(id)).toMatchObject({
    title: 'Describe a garden',
    metadata: { titledBy: 'first-words' },
  })
  await lab.sessions.rename(id, 'Mine')
  await lab.sessions.abort(id)
  await lab.core.shutdown(1_000)
  expect(await lab.sessions.get(id)).toMatchObject({ title: 'Mine', metadata: { titledBy: 'user' } })
})

test('UI-35 a message without words is named by its file', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { id } = await lab.sessions.create({})
  const file = {
    type: 'file',
    mediaType: 'text/plain',
    filename: 'ink.txt',
    url: 'data:text/plain,x',
  } as const
  await lab.sessions.send({ sessionId: id, message: { parts: [file] } })
  expect((await lab.sessions.get(id)).title).toBe('ink.txt')
})

test('UI-35 a branch is named by its first own question, and no generated title replaces that', async () => {
  await using lab = await openCoreLab()
  titleWith(lab, reply({ text: 'Generated' }))
  lab.provider.script(reply({ text: 'One' }), reply({ text: 'Two' }), reply({ text: 'Three' }))
  const { id } = await lab.sessions.create({ title: 'Trees' })
  const { messages } = await lab.turn('Oak?', id)
  const fromMessageId = messages.at(-1)?.id ?? ''
  const branch = await lab.sessions.history.branch({ sessionId: id, fromMessageId })
  expect(branch).toMatchObject({ title: 'Trees', metadata: { titledBy: 'parent' } })
  await lab.turn('And the beech?', branch.id)
  await lab.turn('And then?', branch.id)
  await lab.core.shutdown(1_000)
  expect(await lab.sessions.get(branch.id)).toMatchObject({
    title: 'And the beech?',
    metadata: { titledBy: 'first-words' },
  })
  expect((await lab.sessions.get(id)).title).toBe('Trees')
})
