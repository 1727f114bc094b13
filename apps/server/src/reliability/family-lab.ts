import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChatMessage, isToolPart } from '@palimpsest/core/domain'
import { expect, vi } from 'vitest'
import { processesNamed } from '../testing/processes-named.ts'
import { pathWithoutSandbox } from '../testing/without-sandbox.ts'
import type { CallRecorder } from './call-recorder.ts'
import type { Connection } from './connection.ts'
import { familyRun, RAN } from './family-run.ts'
import { findLosses } from './find-losses.ts'
import { openLabFolder } from './lab-folder.ts'
import { remoteHost } from './remote-host.ts'

const MODEL = { providerId: 'lab', modelId: 'm1' }

/** A folder for servers whose chats start subagents and commands by `familyRun`. */
export async function openFamilyLab() {
  const commands = { long: `86413.${process.pid}`, lasting: `86414.${process.pid}`, calm: false }
  const lab = await openLabFolder((request) => familyRun(request, commands))
  const work = join(lab.folder, 'work')
  await mkdir(work)
  const bare = await pathWithoutSandbox(lab.folder)
  await writeFile(join(work, RAN), '')
  const { PATH = '' } = process.env

  const running = async () => [
    ...(await processesNamed(commands.long)),
    ...(await processesNamed(commands.lasting)),
  ]

  return {
    ...lab,
    commands,
    environment: ({ sandbox }: { sandbox: boolean }) => ({
      ...lab.environment,
      PALIMPSEST_WORKSPACE: work,
      PATH: sandbox ? PATH : bare,
    }),
    /** The commands that were run, by their names. */
    ran: async () => (await readFile(join(work, RAN), 'utf8')).split('\n').filter(Boolean),
    /** Ids of the processes of commands that take long. */
    running,
    runningInForeground: () => processesNamed(commands.long),
    async create({ api }: Connection, id: string) {
      await api.session.create.mutate({ id, title: id, model: MODEL, workspaceRoot: work })
      await api.permission.setMode.mutate({ sessionId: id, mode: 'full-access' })
    },
    async [Symbol.asyncDispose]() {
      for (const id of await running()) process.kill(Number(id), 'SIGKILL')
      await lab[Symbol.asyncDispose]()
    },
  }
}

export type FamilyLab = Awaited<ReturnType<typeof openFamilyLab>>

/** The subagents of a chat. */
export async function childrenOf({ api }: Connection, sessionId: string) {
  return (await api.session.list.query({ parentId: sessionId })).items
}

/** A chat and its subagents. */
async function familyOf(connection: Connection, sessionId: string): Promise<string[]> {
  return [sessionId, ...(await childrenOf(connection, sessionId)).map(({ id }) => id)]
}

/** Resolves once no run of the family is on that waits for nobody. */
export async function untilSettled(connection: Connection, sessionId: string, where: string): Promise<void> {
  const { api } = connection
  await vi.waitFor(
    async () => {
      const family = await familyOf(connection, sessionId)
      const states = await Promise.all(family.map((id) => api.session.status.query({ sessionId: id })))
      const asked = (await api.question.pending.query({ sessionId })).items.length
      const busy = states.filter(({ state }) => state !== 'idle' && !(state === 'waiting' && asked > 0))
      expect(busy, where).toEqual([])
      const waiting = states.filter(({ state }) => state === 'waiting')
      expect(waiting.length > 0, where).toBe(asked > 0)
    },
    { timeout: 20_000, interval: 30 },
  )
}

export async function answerQuestions({ api }: Connection, sessionId: string): Promise<void> {
  const { items } = await api.question.pending.query({ sessionId })
  for (const { id } of items) await api.question.answer.mutate({ questionId: id, answers: [['Yes']] })
}

/** What is wrong with an idle family, in words; an empty list when nothing is. */
export async function faultsOf(
  lab: FamilyLab,
  connection: Connection,
  recorder: CallRecorder,
  sessionId: string,
): Promise<string[]> {
  const host = remoteHost(connection)
  const family = await familyOf(connection, sessionId)
  const ran = await lab.ran()
  const faults = await findLosses(host, recorder, family)
  faults.push(...ran.flatMap((name, at) => (ran.indexOf(name) < at ? [`${name} ran twice`] : [])))
  for (const id of family)
    for (const message of (await host.page(id, null)).items) faults.push(...callsWithout(message, ran))
  const delivered = (await host.page(sessionId, null)).items.flatMap(({ metadata }) =>
    metadata?.subagentResult === undefined ? [] : [metadata.subagentResult.sessionId],
  )
  const titles = (await childrenOf(connection, sessionId)).map(({ id, title }) => {
    const results = delivered.filter((one) => one === id).length
    const due = title.startsWith('Background') ? 1 : 0
    if (results !== due) faults.push(`${title} has ${results} results in the history`)
    return title
  })
  if (new Set(titles).size < titles.length) faults.push('a subagent was started twice')
  return faults
}

/** Calls with an output whose command did not run. */
function callsWithout({ parts }: ChatMessage, ran: readonly string[]): string[] {
  return parts
    .filter(isToolPart)
    .filter(({ type, state, toolCallId }) => {
      return type === 'tool-bash' && state === 'output-available' && !ran.includes(toolCallId)
    })
    .map(({ toolCallId }) => `${toolCallId} has an output and was not run`)
}
