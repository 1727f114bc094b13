import { expect, test } from 'vitest'
import type { SessionEvent } from '../domain/event.ts'
import { DEFAULT_TITLE } from '../domain/session.ts'
import { type CoreLab, openCoreLab } from '../testing/core-lab.ts'
import { failure, reply, type ScriptedReply } from '../testing/scripted-provider-reply.ts'

const isTitle = (event: SessionEvent): event is Extract<SessionEvent, { type: 'title' }> =>
  event.type === 'title'

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
  titleWith(lab, reply({ text: '"A walk in the park."\nand more' }))
  lab.provider.script(reply({ text: 'Done' }), reply({ text: 'Done' }))
  const named = lab.event(isTitle)
  const { sessionId } = await lab.turn('Tell me of a walk')
  expect(await named).toMatchObject({ sessionId, title: 'A walk in the park' })
  expect(await lab.sessions.get(sessionId)).toMatchObject({
    title: 'A walk in the park',
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
  expect((await lab.sessions.get(sessionId)).title).toBe(DEFAULT_TITLE)
})

test('RU-7 without a generated title the message’s text is the title', async () => {
  await using lab = await openCoreLab()
  titleWith(lab, failure(500, 'Oops'))
  lab.provider.script(reply({ text: 'Done' }))
  const named = lab.event(isTitle)
  await lab.turn(`What  is\n${'a very long word, '.repeat(20)}`)
  const { title } = await named
  expect(title.startsWith('What is a very long word,')).toBe(true)
  expect(title.length).toBeLessThanOrEqual(80)
})

test('RU-7 a chat whose first reply failed is titled by its first message, without a model call', async () => {
  await using lab = await openCoreLab()
  titleWith(lab, reply({ text: 'Generated' }))
  lab.provider.script(failure(400, 'No such thing'))
  const named = lab.event(isTitle)
  await lab.turn('Tell me of a walk')
  expect(await named).toMatchObject({ title: 'Tell me of a walk' })
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
