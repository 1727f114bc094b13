import { type Core, type CorePorts, createCore, systemClock } from '@palimpsest/core'
import { isToolPart } from '@palimpsest/core/domain'
import { openStore } from '@palimpsest/db'
import { type ProviderRequest, reply, type ScriptedReply, startScriptedProvider } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '../testing/temporary-database.ts'
import { commandTool, taskTool } from './command-tool.ts'
import { portsOn, SAYS, SETTINGS } from './crash-ports.ts'
import { RUN_POINTS, runUntilCrash } from './crash-run.ts'
import { SUBAGENT_POINTS, WAIT_POINTS } from './failpoints.ts'

const FOREGROUND = [
  ...RUN_POINTS,
  ...WAIT_POINTS,
  ...SUBAGENT_POINTS.filter((point) => !point.endsWith('deliver')),
]

const CASES = [
  ...FOREGROUND.map((point) => ({ point, background: false })),
  ...SUBAGENT_POINTS.map((point) => ({ point, background: true })),
]

test.for(CASES)(
  'RL-1 SA-3 a host that crashes $point, at each of its occurrences in a run with three calls, an ask and a subagent (in the background: $background), makes no call twice, leaves nothing stuck and goes on',
  { timeout: 180_000 },
  async ({ point, background }) => {
    await using provider = await startScriptedProvider()
    provider.otherwise((request) => answer(request, background))
    let crashes = 0
    for (let ended = false; !ended; crashes += ended ? 0 : 1) {
      await using database = await temporaryDatabase()
      const { url } = database
      const made: string[] = []
      const tools = [commandTool(made), taskTool]
      const open = (ports: CorePorts) => createCore(ports, { ...SETTINGS, agent: { tools } })
      const host = { url, baseURL: provider.baseURL, point, occurrence: crashes + 1, open }
      ended = await runUntilCrash(host, answerAll)

      await using store = await openStore({ url, clock: systemClock })
      const core = open(portsOn(store, provider.baseURL))
      const when = `crashed ${point}, occurrence ${crashes + 1}`
      await core.recover()
      await core.continueQueues()
      await answerAll(core)
      expect(await faultsOf(core, store, made), when).toEqual([])
      await goOn(core)
      expect(await faultsOf(core, store, made), when).toEqual([])
      const { items } = await core.sessions.messages({ sessionId: 's' })
      expect(items.findLast(isReply)?.metadata?.finishReason, when).toBe('stop')
      await core.shutdown(0)
    }
    expect(crashes).toBeGreaterThan(0)
  },
)

type Sent = { role: string; content: unknown }

/** The chat makes three calls in one step, and its subagent one; each then ends with a text. */
function answer({ body }: ProviderRequest, background: boolean): ScriptedReply {
  // The provider package builds the body from the conversation.
  const messages = body['messages'] as Sent[]
  const asked = (text: string) =>
    messages.some(({ role, content }) => role === 'user' && JSON.stringify(content).includes(text))
  if (messages.some(({ role }) => role === 'tool')) return reply({ text: 'Done' })
  if (asked('Work')) return reply({ text: 'Well', toolCalls: [command('write child')] })
  const input = { subagent_type: 'general', prompt: 'Work', ...(background && { background }) }
  return reply({
    text: 'Well',
    toolCalls: [command('write root'), command('look'), { name: 'task', id: 'task', input }],
  })
}

function command(line: string) {
  return { name: 'run', id: line, input: { command: line } }
}

function isReply({ role, metadata }: { role: string; metadata?: { synthetic?: true } }): boolean {
  return role === 'assistant' && metadata?.synthetic !== true
}

/** Allows everything that is asked, until the chat and its subagents are idle and all results have landed. */
async function answerAll({ sessions }: Core): Promise<void> {
  for (;;) {
    const states = await Promise.all(
      (await family(sessions)).map(async (id) => (await sessions.status(id)).state),
    )
    const { items } = await sessions.list({ parentId: 's' })
    const landed = items.every(({ metadata }) => metadata.subagent?.undelivered !== true)
    if (landed && states.every((state) => state === 'idle' || state === 'error')) return
    for (const { id } of await sessions.permissions.pending('s'))
      await sessions.permissions.reply({ permissionId: id, reply: 'once' }).catch(ignoreEnded)
    await systemClock.turn()
  }
}

/** What is asked may end before it is answered. */
function ignoreEnded(error: { code?: string }): void {
  if (error.code !== 'CONFLICT') throw error
}

/** The chat and its subagents. */
async function family(sessions: Core['sessions']): Promise<string[]> {
  const { items } = await sessions.list({ parentId: 's' })
  return ['s', ...items.map(({ id }) => id)]
}

/** Continues a reply that the crash has cut, or sends where there is none. */
async function goOn(core: Core): Promise<void> {
  const { sessions } = core
  const last = (await sessions.messages({ sessionId: 's' })).items.findLast(isReply)
  if (last?.metadata?.finishReason === 'interrupted') await sessions.continue('s')
  else await sessions.send({ sessionId: 's', message: SAYS })
  await answerAll(core)
}

/** What is wrong, in words; an empty list when nothing is. */
async function faultsOf(
  { sessions }: Core,
  store: CorePorts['store'],
  made: readonly string[],
): Promise<string[]> {
  const faults = made.flatMap((line, at) => (made.indexOf(line) < at ? [`${line} ran twice`] : []))
  const open = await store.asks.open(null)
  faults.push(...open.map(({ request }) => `an ask (${request.kind}) is open`))
  if ((await store.runs.waiting()).length > 0) faults.push('a run waits')
  for (const sessionId of await family(sessions)) {
    const { items } = await sessions.messages({ sessionId, hidden: true, limit: 200 })
    for (const message of items) {
      if (message.role === 'assistant' && message.metadata?.finishReason === undefined)
        faults.push(`${message.id} has no end`)
      for (const call of message.parts.filter(isToolPart)) faults.push(...faultsOfCall(call, made))
    }
  }
  return faults
}

type Call = { type: string; toolCallId: string; state: string }

function faultsOfCall({ type, toolCallId, state }: Call, made: readonly string[]): string[] {
  if (!state.startsWith('output-')) return [`${toolCallId} is ${state}`]
  const isRun = type === 'tool-run' && state === 'output-available'
  return isRun && !made.includes(toolCallId) ? [`${toolCallId} has an output and was not made`] : []
}
