import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@palimpsest/client'
import { LONG_SESSION, seedLibrary } from '../library/seed.ts'
import { startChild, startProbed } from '../processes/child.ts'
import { toPrompt } from '../script.ts'
import { OURS, serverSettings } from './lab.ts'
import { MODEL, readRun } from './our-target.ts'

/** How much the long session and the new workspace hold. */
export type BusySize = { messages: number; words: number; files: number }

/** What is asked of a workspace that no snapshot has been made of, and of a long session. */
export const BUSY_ACTS = ['first snapshot', 'content', 'heaviest', 'send', 'import'] as const
export type BusyAct = (typeof BUSY_ACTS)[number]

/** The real server with a long session and a workspace of many files. */
export type BusyTarget = AsyncDisposable & {
  act(name: BusyAct): Promise<void>
  /** The longest time in milliseconds for which the server's loop was blocked since the last call. */
  longestBlockMs(): Promise<number>
}

const PROVIDER = fileURLToPath(new URL('../processes/provider.ts', import.meta.url))
const FOLDERS = 100

export async function openBusyTarget(size: BusySize): Promise<BusyTarget> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-busy-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const database = join(folder, 'library.db')
  const { messages: longMessages, words: longWords } = size
  await seedLibrary(database, { sessions: 0, messagesPerSession: 0, longMessages, longWords })
  const provider = opening.use(await startChild(PROVIDER))
  const settings = await serverSettings(folder, provider.url, database)
  await writeFiles(settings['PALIMPSEST_WORKSPACE'] ?? folder, size.files)
  const server = opening.use(await startProbed(OURS, [], { ...settings, LOG_LEVEL: 'fatal' }))
  const client = opening.use(createClient({ url: server.url }))
  const exported = `${server.url}/api/v1/sessions/${LONG_SESSION}/export`
  const acts: Record<BusyAct, () => Promise<unknown>> = {
    content: () => client.session.content.query({ sessionId: LONG_SESSION }),
    heaviest: () => client.session.heaviest.query({ sessionId: LONG_SESSION }),
    send: () => ask(client, LONG_SESSION),
    async import() {
      const body = await (await fetch(exported)).text()
      // The export is no part of the figure.
      await server.longestBlockMs()
      const headers = { 'content-type': 'application/x-ndjson' }
      const answer = await fetch(`${server.url}/api/v1/sessions/import`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`The import was refused: ${await answer.text()}`)
      await answer.text()
    },
    async 'first snapshot'() {
      const { id } = await client.session.create.mutate({ title: 'Bench', model: MODEL })
      await ask(client, id)
    },
  }
  const opened = opening.move()
  return {
    act: async (name) => void (await acts[name]()),
    longestBlockMs: () => server.longestBlockMs(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function ask(client: Client, sessionId: string): Promise<void> {
  const message = { parts: [{ type: 'text' as const, text: toPrompt({ deltas: 1 }) }] }
  const { runId } = await client.session.send.mutate({ sessionId, message })
  if (runId === undefined) throw new Error('The message was queued')
  await readRun(client, { sessionId, runId }, () => {})
}

async function writeFiles(workspace: string, files: number): Promise<void> {
  for (let at = 0; at < Math.min(files, FOLDERS); at++) {
    const folder = join(workspace, `folder${at}`)
    await mkdir(folder)
    for (let file = at; file < files; file += FOLDERS)
      await writeFile(join(folder, `${file}.txt`), `${file}\n`)
  }
}
