import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { findTool } from '@palimpsest/testing/find-tool.ts'
import {
  contentsOf,
  counted,
  type HistoryLab,
  late,
  openHistoryLab,
} from '@palimpsest/testing/history-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables, type MemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../tool/tool.ts'

const runTool = defineTool({
  id: 'run',
  description: 'Runs a command',
  input: z.object({ command: z.string() }),
  requires: ({ command }) => [{ permission: 'command', pattern: command }],
  execute: () => Promise.resolve({ text: 'Ran' }),
})

const openLab = (
  tables: MemoryTables,
  condenseAbove: number | null = null,
  onInfo: (message: string) => void = () => undefined,
) =>
  openHistoryLab(
    { store: createMemoryStore(tables), logger: { ...silentLogger, info: (_, message) => onInfo(message) } },
    { agent: { tools: [findTool, runTool] }, compaction: { condense_above: condenseAbove } },
  )

const finds = (tokens: number, id: string) => ({ toolCalls: [{ id, name: 'find', input: { tokens } }] })
const asks = { toolCalls: [{ id: 'call_run', name: 'run', input: { command: 'ls' } }] }

const results = (lab: HistoryLab) =>
  contentsOf(lab.steps.at(-1)?.body ?? {}).filter((line) => line.startsWith('tool: '))

const waits = (lab: HistoryLab, sessionId: string) =>
  expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })

async function allow(lab: HistoryLab, sessionId: string): Promise<void> {
  const [ask] = await lab.sessions.permissions.pending(sessionId)
  const settled = lab.event((event) => event.type === 'message-settled')
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await settled
}

test.for(['on the same host', 'after a restart'])(
  'PR-1 RU-9 a run that has waited sees the outputs pruned that it saw pruned before, %s',
  async (where) => {
    const tables = createMemoryTables()
    await using first = await openLab(tables)
    for (const call of ['call_a', 'call_b', 'call_c', 'call_d'])
      first.provider.script((request) => counted(request, finds(2_000, call)))
    first.provider.script((request) => counted(request, asks))
    const { id } = await first.sessions.create({ title: 'Finds' })
    await first.say('Find it', id)
    await waits(first, id)
    const before = results(first)
    const pruned = expect.stringContaining('<output pruned')
    expect(before).toEqual([pruned, pruned, pruned, expect.stringContaining('needle')])
    await using second = await openLab(tables)
    const lab = where === 'after a restart' ? second : first
    if (lab === second) await lab.core.recover()
    await allow(lab, id)
    expect(results(lab)).toEqual([...before, expect.stringContaining('Ran')])
  },
)

test('PR-4 RU-9 an output that is condensed while its run waits is seen in that form when the run goes on', async () => {
  const gate = Promise.withResolvers<void>()
  const condensed = Promise.withResolvers<void>()
  await using lab = await openLab(createMemoryTables(), 4_000, (message) => {
    if (message === 'Condensed an output') condensed.resolve()
  })
  lab.condense(() => late(gate.promise, { text: 'Condensed 1.' }))
  lab.provider.script(
    (request) => counted(request, finds(2_000, 'call_a')),
    (request) => counted(request, asks),
  )
  const { id } = await lab.sessions.create({ title: 'Finds' })
  await lab.say('Find it', id)
  await waits(lab, id)
  gate.resolve()
  await condensed.promise
  await allow(lab, id)
  expect(results(lab)).toEqual([expect.stringContaining('Condensed 1.'), expect.stringContaining('Ran')])
})
