import { type Core, type CorePorts, createCore, systemClock } from '@palimpsest/core'
import { isToolPart } from '@palimpsest/core/domain'
import { defineTool, reply, startScriptedProvider } from '@palimpsest/core/testing'
import { openStore } from '@palimpsest/db'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { temporaryDatabase } from '../testing/temporary-database.ts'
import { MODEL, portsOn, SAYS, SETTINGS } from './crash-ports.ts'
import { POINTS, type Point, WAIT_POINTS, withFailpoint } from './failpoints.ts'

const COMMANDS = ['one', 'two']
const STEPS: readonly Point[] = POINTS.filter((point) => !point.endsWith('steer'))

test.for([...WAIT_POINTS, ...STEPS])(
  'RL-1 PE-3 a host that crashes %s of a run that asks twice decides each call once and makes none twice',
  { timeout: 120_000 },
  async (point) => {
    await using provider = await startScriptedProvider()
    provider.otherwise(({ body }) => {
      // The provider package builds the body from the conversation.
      const answered = (body['messages'] as { role: string }[]).some(({ role }) => role === 'tool')
      const toolCalls = COMMANDS.map((command) => ({ name: 'run', input: { command }, id: command }))
      return answered ? reply({ text: 'Done' }) : reply({ text: 'Well', toolCalls })
    })
    let crashes = 0
    for (let ended = false; !ended; crashes += ended ? 0 : 1) {
      await using database = await temporaryDatabase()
      const { url } = database
      const made: string[] = []
      const open = (ports: CorePorts) => createCore(ports, { ...SETTINGS, agent: { tools: [runs(made)] } })
      ended = await runUntilCrash(url, provider.baseURL, { point, occurrence: crashes + 1 }, open)

      await using store = await openStore({ url, clock: systemClock })
      const core = open(portsOn(store, provider.baseURL))
      await core.recover()
      await core.continueQueues()
      await answerAll(core)
      const { items } = await core.sessions.messages({ sessionId: 's' })
      const outputs = items.flatMap(({ parts }) => parts.filter(isToolPart))
      const when = `crashed ${point}, occurrence ${crashes + 1}`
      expect(made, when).toEqual([...new Set(made)])
      for (const { state, toolCallId } of outputs)
        if (state === 'output-available') expect(made, when).toContain(toolCallId)
      expect(await core.sessions.send({ sessionId: 's', message: SAYS }), when).toMatchObject({
        queued: false,
      })
      await core.shutdown(0)
    }
    expect(crashes).toBeGreaterThan(0)
  },
)

/** A tool that is asked about; `made` holds the calls that were executed, by any host. */
function runs(made: string[]) {
  return defineTool({
    id: 'run',
    description: 'Runs a command',
    input: z.object({ command: z.string() }),
    requires: ({ command }) => [{ permission: 'command', pattern: command }],
    execute: ({ command }) => {
      made.push(command)
      return Promise.resolve({ text: command })
    },
  })
}

/** Runs one turn and allows what it asks. Returns false when the host crashed before its end. */
async function runUntilCrash(
  url: string,
  baseURL: string,
  { point, occurrence }: { point: Point; occurrence: number },
  open: (ports: CorePorts) => Core,
): Promise<boolean> {
  await using store = await openStore({ url, clock: systemClock })
  const { ports, crashed } = withFailpoint(portsOn(store, baseURL), point, occurrence)
  const core = open(ports)
  await core.sessions.create({ id: 's', title: 'S', model: MODEL })
  const work = core.sessions.send({ sessionId: 's', message: SAYS }).then(() => answerAll(core))
  return await Promise.race([crashed.then(() => false), work.then(() => true)])
}

/** Allows everything that a run waits for until the session is idle. */
async function answerAll({ sessions }: Core): Promise<void> {
  for (;;) {
    const { state } = await sessions.status('s')
    if (state === 'idle' || state === 'error') return
    const pending = state === 'waiting' ? await sessions.permissions.pending('s') : []
    for (const { id } of pending) await sessions.permissions.reply({ permissionId: id, reply: 'once' })
    await systemClock.turn()
  }
}
