import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { createScriptedProcesses, wrapNothing } from '@palimpsest/testing/scripted-processes.ts'
import { openSubagentLab, type Plans, runs } from '@palimpsest/testing/subagent-lab.ts'
import { expect, test } from 'vitest'
import type { CorePorts } from '../history/core-ports.ts'
import type { Logger, SandboxInfo } from '../ports/index.ts'

const PLANS: Plans = {
  Hi: [{ text: 'Hello' }],
  Go: [{ toolCalls: [runs('ls')] }, { text: 'Done' }],
}
const broken = () => Promise.reject(new Error('Broken'))

/** Ports of a host on these tables, with what it logs as a warning or an error. */
function openPorts(tables = createMemoryTables()) {
  const logged: string[] = []
  const log = (_: object, text: string) => void logged.push(text)
  const logger: Logger = { ...silentLogger, warn: log, error: log }
  const store = createMemoryStore(tables)
  const info: SandboxInfo = { kind: 'bwrap' }
  const sandbox = { info, probe: () => Promise.resolve(info), wrap: wrapNothing }
  return { store, logger, logged, sandbox, processes: createScriptedProcesses().processes }
}

type Ports = ReturnType<typeof openPorts>

const FAILURES: Readonly<Record<string, (ports: Omit<Ports, 'logged'>) => Partial<CorePorts>>> = {
  'the sandbox': ({ sandbox }) => ({ sandbox: { ...sandbox, probe: broken } }),
  'the sandbox, at once': ({ sandbox }) => ({
    sandbox: {
      ...sandbox,
      probe() {
        throw new Error('Broken')
      },
    },
  }),
  'commands that are left': ({ processes }) => ({ processes: { ...processes, endOrphans: broken } }),
  'open runs': ({ store }) => ({ store: { ...store, runs: { ...store.runs, orphans: broken } } }),
  'waiting runs': ({ store }) => ({ store: { ...store, runs: { ...store.runs, waiting: broken } } }),
  'subagents that were waited for': ({ store }) => ({
    store: { ...store, asks: { ...store.asks, open: broken } },
  }),
}

test.for(Object.entries(FAILURES))(
  'RV-1 a start in which one thing fails is logged and goes on: %s',
  async ([, fail]) => {
    const { logged, ...ports } = openPorts()
    await using lab = await openSubagentLab(PLANS, createMemoryTables(), [], {
      ...ports,
      ...fail(ports),
    })
    expect(await lab.core.recover()).toBe(0)
    expect(logged).not.toEqual([])
    const { sessionId } = await lab.say('Hi')
    await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'idle' })
  },
)

test('RV-1 a start without a failure logs none', async () => {
  const { logged, ...ports } = openPorts()
  await using lab = await openSubagentLab(PLANS, createMemoryTables(), [], ports)
  await lab.core.recover()
  expect(logged).toEqual([])
})

test('RV-1 RU-9 a waiting run whose stream cannot be filled leaves the others to wait', async () => {
  const tables = createMemoryTables()
  await using first = await openSubagentLab(PLANS, tables)
  const { sessionId: lost, runId } = await first.say('Go')
  const { sessionId } = await first.say('Go')
  for (const id of [lost, sessionId])
    await expect.poll(() => first.sessions.status(id)).toMatchObject({ state: 'waiting' })
  const { logged, ...ports } = openPorts(tables)
  await using lab = await openSubagentLab(PLANS, tables, [], ports)
  const { live } = lab.ports
  const { resume } = live
  live.resume = (id) => {
    if (id === runId) throw new Error('Broken')
    return resume(id)
  }
  await lab.core.recover()
  expect(logged).toEqual(['A run that waits could not be restored'])
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
})
