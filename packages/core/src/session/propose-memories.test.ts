import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

const tabs = {
  scope: 'user',
  name: 'tabs',
  description: 'Likes tabs',
  type: 'preference',
  body: 'Tabs, always.',
}

/** A lab whose model proposes this, and what it was asked. */
async function openLab(proposed: unknown, { on = true } = {}) {
  const lab = await openCoreLab()
  const asked: string[] = []
  lab.provider.intercept(({ body }) => {
    const text = JSON.stringify(body)
    if (text.includes('Write a title')) return reply({ text: 'A title' })
    if (!text.includes('You look for lasting facts')) return null
    asked.push(text)
    return reply({ text: JSON.stringify(proposed) })
  })
  if (on) await lab.sessions.settings.set({ proposeMemories: true })
  lab.provider.script(reply({ text: 'I see.' }))
  return { lab, asked, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() }
}

const proposals = async (lab: CoreLab) => (await lab.sessions.memories.list({})).items

test('ME-2 after a turn the cheap model may propose memories, which wait for a person', async () => {
  await using opened = await openLab([tabs])
  const { lab, asked } = opened
  const { sessionId, messages } = await lab.turn('I like tabs')
  await expect.poll(() => proposals(lab)).toHaveLength(1)
  const [proposal] = await proposals(lab)
  expect(proposal).toMatchObject({
    ...tabs,
    state: 'proposed',
    origin: { sessionId, messageId: messages[0]?.id },
  })
  expect(asked[0]).toContain('I like tabs')
  lab.provider.script(reply({ text: 'Again.' }))
  await lab.turn('Hello', sessionId)
  expect(JSON.stringify(lab.steps.at(-1)?.body)).not.toContain('user/tabs')
  if (proposal === undefined) throw new Error('There is no proposal.')
  const { id, scope, name, description, type, body } = proposal
  expect(await lab.sessions.memories.write({ id, scope, name, description, type, body })).toMatchObject({
    state: 'accepted',
  })
})

test('BU-1 ME-2 proposals draw from the budget of their session, and none is looked for once it is spent', async () => {
  await using opened = await openLab([tabs])
  const { lab, asked } = opened
  const tokens = async (id: string) => (await lab.sessions.budget.get(id)).spent.tokens
  const { id } = await lab.sessions.create({ title: 'Named' })
  await lab.turn('I like tabs', id)
  // The turn has taken 11 tokens, and the request for proposals as many.
  await expect.poll(() => tokens(id)).toBe(22)
  expect(asked).toHaveLength(1)

  const spent = await lab.sessions.create({ title: 'Named' })
  await lab.sessions.budget.set(spent.id, { session: { max_tokens: 11 } })
  lab.provider.script(reply({ text: 'I see.' }))
  await lab.turn('I like spaces', spent.id)
  await lab.core.shutdown(0)
  expect(asked).toHaveLength(1)
  expect(await tokens(spent.id)).toBe(11)
})

test('ME-2 nothing is looked for unless a person has switched it on', async () => {
  await using opened = await openLab([tabs], { on: false })
  const { lab, asked } = opened
  await lab.turn('I like tabs')
  await lab.core.shutdown(0)
  expect(asked).toEqual([])
  expect(await proposals(lab)).toEqual([])
})

test('ME-2 ME-1 the model that looks reads no results of tools, and its answer replaces no accepted memory', async () => {
  await using opened = await openLab([{ ...tabs, body: 'Forget tabs' }])
  const { lab, asked } = opened
  const kept = await lab.sessions.memories.write({ ...tabs, scope: 'user' })
  lab.provider.script(
    reply({ toolCalls: [{ name: 'todo', input: { todos: [{ content: 'secret-42', status: 'pending' }] } }] }),
  )
  await lab.turn('Go')
  await expect.poll(() => asked.length).toBe(1)
  await lab.core.shutdown(0)
  expect(asked[0]).not.toContain('secret-42')
  expect(asked[0]).toContain('user/tabs')
  expect(await proposals(lab)).toEqual([kept])
})
