import { type Core, type CorePorts, createCore, systemClock } from '@palimpsest/core'
import { isToolPart } from '@palimpsest/core/domain'
import { openStore } from '@palimpsest/db'
import { reply, startScriptedProvider } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '../testing/temporary-database.ts'
import { commandTool } from './command-tool.ts'
import { portsOn, SAYS, SETTINGS } from './crash-ports.ts'
import { RUN_POINTS, runUntilCrash } from './crash-run.ts'
import { WAIT_POINTS } from './failpoints.ts'

const COMMANDS = ['one', 'two']

test.for([...WAIT_POINTS, ...RUN_POINTS])(
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
      const open = (ports: CorePorts) =>
        createCore(ports, { ...SETTINGS, agent: { tools: [commandTool(made)] } })
      const host = { url, baseURL: provider.baseURL, point, occurrence: crashes + 1, open }
      ended = await runUntilCrash(host, answerAll)

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
