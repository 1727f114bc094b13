import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { isToolPart } from '../domain/message/message.ts'
import { readAgentFiles } from '../workspace/guidance.ts'
import { NO_SOURCES } from '../workspace/source-folders.ts'
import { createAgents } from './agents.ts'
import { toAgent } from './file-agents.ts'

const REVIEWER =
  '---\ndescription: Reviews\ntools: [read]\nmodel: lab/m2\nlimits: { max_steps: 2 }\n---\nYou review.'

const files = (more: Record<string, string> = {}) =>
  createMemoryFiles({ '.agents/agents/reviewer.md': REVIEWER, ...more })

async function allow(lab: CoreLab): Promise<string> {
  const [item] = await lab.sessions.sources.trust.list({})
  await lab.sessions.sources.trust.grant({}, item?.digest ?? '')
  return item?.digest ?? ''
}

test('SA-7 an agent of a repository is listed with its content, and refused until a person consents', async () => {
  await using lab = await openCoreLab({ files: files() })
  const { sources } = lab.sessions
  await expect(lab.sessions.create({ agent: 'reviewer' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'agent',
  })
  expect((await sources.agents({})).items).toMatchObject([{ id: 'reviewer', allowed: false }])
  const [item] = await sources.trust.list({})
  expect(item).toMatchObject({
    kind: 'agent',
    path: '.agents/agents/reviewer.md',
    content: REVIEWER,
    allowed: false,
  })
  await allow(lab)
  expect((await sources.agents({})).items).toMatchObject([{ id: 'reviewer', allowed: true }])
  expect(await lab.sessions.create({ agent: 'reviewer' })).toMatchObject({
    agent: 'reviewer',
    model: { providerId: 'lab', modelId: 'm2' },
  })
})

test('SA-7 a session of such an agent has its prompt, tools and limit', async () => {
  await using lab = await openCoreLab({ files: files() })
  await allow(lab)
  const { id } = await lab.sessions.create({ agent: 'reviewer' })
  const call = { name: 'read', input: { path: '.' } }
  lab.provider.script(reply({ toolCalls: [call] }), reply({ toolCalls: [{ ...call, id: 'call_2' }] }))
  const { messages } = await lab.turn('Review', id)
  expect(messages[1]?.metadata?.finishReason).toBe('max-steps')
  expect(messages[1]?.parts.filter(isToolPart)).toHaveLength(2)
  const body = lab.steps[0]?.body as {
    messages: { content: string }[]
    tools: { function: { name: string } }[]
  }
  expect(body.messages[0]?.content).toMatch(/^You review\./)
  expect(body.tools.map((tool) => tool.function.name)).toEqual(['read'])
})

test('SA-7 a change of the file needs another consent; until then a message is refused and nothing else runs in its place', async () => {
  const changing = files()
  await using lab = await openCoreLab({ files: changing })
  const digest = await allow(lab)
  const { id } = await lab.sessions.create({ agent: 'reviewer' })
  changing.contents.set('.agents/agents/reviewer.md', new TextEncoder().encode(`${REVIEWER} Run all.`))
  await expect(lab.say('Review', id)).rejects.toMatchObject({ field: 'agent' })
  await expect(lab.sessions.sources.trust.grant({}, digest)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await lab.sessions.permissions.rules({ sessionId: id })).toBeInstanceOf(Array)
  await allow(lab)
  lab.provider.script(reply({ text: 'Fine' }))
  await lab.turn('Review', id)
  expect(await lab.sessions.sources.trust.revoke(digest)).toBe(true)
})

test('SA-7 a run that waits when its agent is withdrawn can be aborted, and answered it ends without a tool', async () => {
  const writer = '---\ndescription: Writes\ntools: [write]\n---\nYou write.'
  await using lab = await openCoreLab({ files: createMemoryFiles({ '.agents/agents/writer.md': writer }) })
  const digest = await allow(lab)
  const write = { name: 'write', input: { path: 'a.txt', content: 'x' }, id: 'call_w' }
  const open = async () => {
    const { id } = await lab.sessions.create({ agent: 'writer' })
    lab.provider.script(reply({ toolCalls: [write] }))
    await lab.say('Write', id)
    await expect.poll(() => lab.sessions.status(id)).toMatchObject({ state: 'waiting' })
    return id
  }
  const [first, second] = [await open(), await open()]
  await lab.sessions.sources.trust.revoke(digest)
  expect(await lab.sessions.abort(first)).toEqual({ aborted: true })
  lab.provider.script(reply({ text: 'Never mind' }))
  const [pending] = await lab.sessions.permissions.pending(second)
  await lab.sessions.permissions.reply({ permissionId: pending?.id ?? '', reply: 'once' })
  await expect.poll(() => lab.sessions.status(second)).toEqual({ state: 'idle' })
  const { contents } = lab.ports.files as ReturnType<typeof createMemoryFiles>
  expect(contents.has('a.txt')).toBe(false)
})

test('SA-7 the person’s own agents need no consent, and none takes the place of a built-in one', async () => {
  const own = createMemoryFiles({
    'agents/mine.md': '---\ndescription: Mine\n---\nYou are mine.',
    'agents/assistant.md': '---\ndescription: Taken\n---\nYou are taken.',
  })
  await using lab = await openCoreLab({ files: own }, { sources: { own: '/own', bundled: null, skills: [] } })
  expect((await lab.sessions.create({ agent: 'mine' })).agent).toBe('mine')
  lab.provider.script(reply({ text: 'Hello' }))
  await lab.turn('Hi')
  expect(JSON.stringify(lab.steps[0]?.body)).not.toContain('You are taken')
})

test('SY-3 SY-4 UI-12 what files bring is listed for a session, a folder and the default folder', async () => {
  await using lab = await openCoreLab({
    files: createMemoryFiles({
      'AGENTS.md': 'x'.repeat(40_000),
      '.agents/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads\n---\nBody',
      '.agents/commands/go.md': 'Go to $ARGUMENTS',
    }),
  })
  const { sources } = lab.sessions
  const { id: sessionId } = await lab.sessions.create({})
  for (const place of [{}, { sessionId }, { workspaceRoot: '/workspace' }]) {
    expect((await sources.instructions(place)).items).toEqual([
      { path: 'AGENTS.md', source: 'project', characters: 32_000, cut: true },
    ])
    expect((await sources.skills(place)).items).toEqual([
      { name: 'pdf', description: 'Reads', source: 'project', path: '.agents/skills/pdf/SKILL.md' },
    ])
    expect((await sources.commands(place)).items).toMatchObject([
      { name: 'go', description: 'Go to $ARGUMENTS' },
    ])
    expect(await sources.expand(place, 'go', 'Rome')).toBe('Go to Rome')
  }
  await expect(sources.expand({}, 'none', '')).rejects.toMatchObject({ field: 'name' })
  await expect(sources.skills({ sessionId: 'none' })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  await expect(sources.skills({ workspaceRoot: '/etc' })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
})

test('SA-7 an agent of a file keeps its own description and mode, and is read-only in Claude’s mode plan', async () => {
  const planner = '---\ndescription: Plans\npermissionMode: plan\n---\nYou plan.'
  const reading = createMemoryFiles({ '.claude/agents/planner.md': planner })
  await using lab = await openCoreLab({ files: reading })
  const { agents } = await readAgentFiles('/workspace', { ...lab.ports, sources: NO_SOURCES })
  const [file] = agents
  const base = createAgents().get('assistant')
  if (file === undefined || base === undefined) throw new Error('There is no such agent')
  const agent = toAgent(file, base)
  expect(agent).toMatchObject({ id: 'planner', description: 'Plans', mode: 'subagent', readOnly: true })
  expect(agent.tools.some(({ id }) => id === 'write' || id === 'edit')).toBe(false)
})
