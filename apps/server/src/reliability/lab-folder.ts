import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { writeDatabase } from '@palimpsest/db/testing'
import {
  type ProviderRequest,
  type ScriptedProvider,
  type ScriptedReply,
  startScriptedProvider,
} from '@palimpsest/testing'

export type LabFolder = AsyncDisposable & {
  readonly folder: string
  readonly database: string
  readonly provider: ScriptedProvider
  /** The environment of a server process that stores here and whose models answer with `answer`. */
  readonly environment: Record<string, string>
  /** The result of SQLite's integrity check; `ok` when it finds nothing. */
  integrity(): unknown
}

/** A database that outlives server processes, and a provider for them. */
export async function openLabFolder(answer: (request: ProviderRequest) => ScriptedReply): Promise<LabFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-kill-'))
  const provider = await startScriptedProvider()
  provider.otherwise(answer)
  const database = join(folder, 'chat.db')
  await writeDatabase(database)
  const config = join(folder, 'config.json')
  const lab = { kind: 'openai-compatible', baseURL: provider.baseURL, models: { m1: {} } }
  await writeFile(config, JSON.stringify({ providers: { lab } }))
  return {
    folder,
    database,
    provider,
    environment: {
      DATABASE_URL: `file:${database}`,
      PALIMPSEST_CONFIG: config,
      PALIMPSEST_RATE_LIMIT: '0',
      LOG_LEVEL: 'error',
    },
    integrity() {
      using file = new DatabaseSync(database)
      return file.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    },
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
