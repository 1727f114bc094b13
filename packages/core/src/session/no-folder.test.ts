import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemoryDemoFolder, createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

const NO_DEFAULT = { defaultFolder: null }

test('SX-9 a session works in the folder that it names, in none when it asks for none, else in the default one', async () => {
  await using lab = await openCoreLab({ workspaces: createMemoryWorkspaces(['/workspace', '/other']) })
  const folderOf = async (input: { workspaceRoot?: string | null }) =>
    (await lab.sessions.create(input)).workspaceRoot
  expect(await folderOf({})).toBe('/workspace')
  expect(await folderOf({ workspaceRoot: '/other' })).toBe('/other')
  expect(await folderOf({ workspaceRoot: null })).toBeNull()
  await expect(folderOf({ workspaceRoot: '/etc' })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
})

test('SX-9 without a default folder a session that names none has none, and so have its branches', async () => {
  await using lab = await openCoreLab({ workspaces: createMemoryWorkspaces(['/workspace'], NO_DEFAULT) })
  const { sessionId, messages } = await lab.turn('Hello')
  expect((await lab.sessions.get(sessionId)).workspaceRoot).toBeNull()
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: messages[0]?.id ?? '' })
  expect(branch.workspaceRoot).toBeNull()
})

test('SX-9 a subagent of a session without a folder has none', async () => {
  await using lab = await openCoreLab()
  const { id } = await lab.sessions.create({ workspaceRoot: null })
  const input = { subagent_type: 'general', prompt: 'Look' }
  lab.provider.script(
    reply({ toolCalls: [{ name: 'task', input }] }),
    reply({ text: 'Seen' }),
    reply({ text: 'Done' }),
  )
  await lab.turn('Ask', id)
  const children = await lab.sessions.list({ parentId: id })
  expect(children.items.map(({ workspaceRoot }) => workspaceRoot)).toEqual([null])
})

test('SX-9 a creation that is repeated after a folder was chosen is answered with the session', async () => {
  await using lab = await openCoreLab({ workspaces: createMemoryWorkspaces(['/workspace'], NO_DEFAULT) })
  const { id } = await lab.sessions.create({ id: 'ses_twice' })
  await lab.sessions.chooseFolder(id, '/workspace')
  for (const input of [{ id }, { id, workspaceRoot: null }])
    expect(await lab.sessions.create(input)).toMatchObject({ id, workspaceRoot: '/workspace' })
})

test('SX-9 a session without a folder gets one that is allowed, once, and works there from its next turn on', async () => {
  const files = createMemoryFiles({ 'AGENTS.md': 'Be brief.' })
  const workspaces = createMemoryWorkspaces(['/workspace', '/other'], NO_DEFAULT)
  await using lab = await openCoreLab({ workspaces, files })
  const { sessionId } = await lab.turn('Hello')
  const choose = (folder: string) => lab.sessions.chooseFolder(sessionId, folder)
  await expect(choose('/etc')).rejects.toMatchObject({ code: 'PERMISSION_DENIED', field: 'workspaceRoot' })
  const changed = lab.event((event) => event.type === 'session-changed')
  expect(await choose('/workspace')).toMatchObject({ id: sessionId, workspaceRoot: '/workspace' })
  expect(await changed).toMatchObject({ session: { workspaceRoot: '/workspace' } })
  await choose('/workspace')
  await expect(choose('/other')).rejects.toMatchObject({ code: 'CONFLICT' })
  const before = lab.steps.length
  lab.provider.script(
    reply({ toolCalls: [{ name: 'read', input: { path: 'AGENTS.md' } }] }),
    reply({ text: 'Read' }),
  )
  const { messages } = await lab.turn('Read it', sessionId)
  const [first, second] = [lab.steps[0], lab.steps[before]].map((step) => JSON.stringify(step?.body))
  expect(first).not.toMatch(/Be brief|Workspace:/)
  expect(second).toMatch(/Be brief.*Workspace: \/workspace/)
  expect(messages.at(-1)?.parts).toContainEqual(
    expect.objectContaining({ type: 'tool-read', state: 'output-available' }),
  )
})

test('SX-9 the demo model works in a folder of its own where a session names none and there is no default', async () => {
  const demo = createMemoryDemoFolder()
  const workspaces = createMemoryWorkspaces(['/workspace'], { ...NO_DEFAULT, demo })
  await using lab = await openCoreLab({ workspaces }, {}, { demo: true })
  expect(demo.made).toBe(0)
  expect((await lab.sessions.create({ workspaceRoot: null })).workspaceRoot).toBeNull()
  expect(demo.made).toBe(0)
  expect((await lab.sessions.create({ id: 'ses_demo' })).workspaceRoot).toBe('/demo')
  expect((await lab.sessions.create({ id: 'ses_demo' })).workspaceRoot).toBe('/demo')
  expect(demo.made).toBe(1)
})
