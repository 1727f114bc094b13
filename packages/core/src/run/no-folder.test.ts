import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import { createAgents } from '../session/agents.ts'
import { defineTool, type Tool } from '../tool/tool.ts'

const BYTES = 4
const HOST = { runsCommands: true, readsWeb: true, searchesWeb: true }
const OWN = createAgents({}, HOST).get('assistant')?.tools ?? []
const WITHOUT = [
  'read',
  'todo',
  'question',
  'skill',
  'web_fetch',
  'web_search',
  'memory_write',
  'memory_read',
  'memory_list',
  'memory_delete',
  'recall',
  'task',
]

/** All tools at once, also those that cannot act yet. */
const always = (tools: readonly Tool[]): Tool[] =>
  tools.map(({ canAct: _, withoutFolder, ...tool }) => ({
    ...tool,
    ...(withoutFolder !== undefined && {
      withoutFolder: withoutFolder === null ? null : (always([withoutFolder])[0] ?? null),
    }),
  }))

function idsOf(body: object | undefined): string[] {
  return [...JSON.stringify(body).matchAll(/"function":\{"name":"([a-z_]+)"/g)].map(([, id = '']) => id)
}

function textOf(lab: CoreLab): string {
  return JSON.stringify(lab.steps[0]?.body['messages'])
}

/** A lab whose files and folders count what is asked of them. */
async function openWatchedLab() {
  const asked: string[] = []
  const watched = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const value: unknown = Reflect.get(target, name, receiver)
        if (typeof value !== 'function') return value
        return (...args: unknown[]): unknown => {
          asked.push(String(name))
          return Reflect.apply(value, target, args)
        }
      },
    })
  const snapshots = createMemorySnapshots()
  const lab = await openCoreLab(
    {
      files: watched(createMemoryFiles({ 'AGENTS.md': 'Be brief.' })),
      workspaces: watched(createMemoryWorkspaces()),
      snapshots: watched(snapshots),
    },
    {
      agent: { tools: always(OWN) },
      gitStatus: () => {
        asked.push('git')
        return Promise.resolve('clean')
      },
    },
  )
  return { lab, asked, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() }
}

test('SY-7 the fixed part of a request takes at most 1,500 tokens in a session without a folder', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: always(OWN) } })
  const { id } = await lab.sessions.create({ workspaceRoot: null })
  await lab.turn('hello', id)
  const { tools, messages } = lab.steps[0]?.body ?? {}
  const bytes = new TextEncoder().encode(JSON.stringify(tools) + JSON.stringify(messages)).length
  expect(idsOf(tools as object)).toHaveLength(WITHOUT.length)
  expect(bytes / BYTES).toBeLessThanOrEqual(1_500)
})

test('SY-7 PF-12 a session without a folder has the tools that need none, and nothing of files is read for it', async () => {
  await using opened = await openWatchedLab()
  const { lab, asked } = opened
  const { id } = await lab.sessions.create({ workspaceRoot: null })
  asked.length = 0
  const { messages } = await lab.turn('hello', id)
  expect(asked).toEqual([])
  expect(idsOf(lab.steps[0]?.body).sort()).toEqual(WITHOUT.toSorted())
  expect(textOf(lab)).not.toMatch(/Workspace:|Git:|Commands:|Be brief/)
  expect(messages.flatMap(({ metadata }) => metadata?.snapshotId ?? [])).toEqual([])
})

test('SY-7 a session with a folder has them all, and its prompt says where it works', async () => {
  await using opened = await openWatchedLab()
  const { lab, asked } = opened
  await lab.turn('hello')
  expect(idsOf(lab.steps[0]?.body)).toEqual(expect.arrayContaining(['read', 'bash', ...WITHOUT]))
  expect(textOf(lab)).toMatch(/Workspace: \/workspace.*Git: clean/)
  expect(textOf(lab)).toContain('Be brief.')
  expect(asked).toContain('git')
})

test('SY-7 without a folder subagents that only work in one are left out, and memories are those of the user', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: OWN } })
  const { id } = await lab.sessions.create({ workspaceRoot: null })
  await lab.turn('hello @explore', id)
  const before = lab.steps.length
  await lab.turn('hello @explore')
  const offered = [lab.steps[0], lab.steps[before]].map((step) => JSON.stringify(step?.body))
  expect(offered.map((body) => /- explore: /.test(body))).toEqual([false, true])
  expect(offered.map((body) => /names the subagent/.test(body))).toEqual([false, true])
  expect(offered.map((body) => /"enum":\["user","project"\]/.test(body))).toEqual([false, true])
  expect(offered[0]).toContain('"enum":["user"]')
})

test('SY-7 without a folder `read` is offered once a result was cut, and reads results alone', async () => {
  const long: Tool = defineTool({
    id: 'long',
    description: 'Return much.',
    input: z.object({}),
    requires: () => [],
    execute: () => Promise.resolve({ text: 'line\n'.repeat(50_000) }),
  })
  await using lab = await openCoreLab({}, { agent: { tools: [...OWN, long] } })
  const read = (path: string, id: string) => ({ name: 'read', input: { path, offset: 49_999 }, id })
  lab.provider.script(
    reply({ toolCalls: [{ name: 'long', input: {}, id: 'call_1' }] }),
    reply({ toolCalls: [read('output:call_1', 'call_2'), read('long.txt', 'call_3')] }),
    reply({ text: 'Done' }),
  )
  const { id } = await lab.sessions.create({ workspaceRoot: null })
  const { messages } = await lab.turn('Read', id)
  expect(lab.steps.map(({ body }) => idsOf(body).includes('read'))).toEqual([false, true, true])
  expect(messages.at(-1)?.parts.filter(isToolPart)).toMatchObject([
    { output: { metadata: { truncated: true } } },
    { output: { text: '49999\tline\n50000\tline' } },
    { state: 'output-error', errorText: expect.stringContaining('This chat has no folder') },
  ])
})

test('SY-7 a call of a tool that works in a folder is an error for the model where there is none', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: OWN } })
  lab.provider.script(reply({ toolCalls: [{ name: 'read', input: { path: 'a' } }] }), reply({ text: 'Done' }))
  const { id } = await lab.sessions.create({ workspaceRoot: null })
  const { messages } = await lab.turn('Read', id)
  expect(messages.at(-1)?.parts).toContainEqual(
    expect.objectContaining({ type: 'tool-read', state: 'output-error' }),
  )
})
