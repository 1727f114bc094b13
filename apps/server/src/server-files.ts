import { dirname, join, resolve } from 'node:path'
import { databasePath } from '@palimpsest/db'
import { CONFIG_FILE } from './config-file.ts'
import type { Env } from './env.ts'

/** What the server keeps on the disk and reads its settings from, as absolute paths. Nothing of it has to exist. */
export type ServerFiles = {
  /** The database; what is beside it begins with its name. */
  database: string
  /** The key that encrypts keys of providers. */
  key: string
  /** The folder of the database, with all that the server keeps in it. */
  data: string
  snapshots: string
  outputs: string
  /** What commands that may write have found, while they run; in the folder of outputs, which no command sees. */
  running: string
  /** The folder in which the demo model shows its tools; all else in the folder of the database is out of its reach. */
  demo: string
  /** The configuration in force. */
  config: string
  /** The file that is the configuration of a server that starts in this folder. */
  startConfig: string
}

export function serverFiles({
  DATABASE_URL,
  PALIMPSEST_CONFIG,
}: Pick<Env, 'DATABASE_URL' | 'PALIMPSEST_CONFIG'>): ServerFiles {
  const database = resolve(databasePath(DATABASE_URL))
  const data = dirname(database)
  const outputs = join(data, 'outputs')
  return {
    database,
    data,
    key: join(data, 'palimpsest.key'),
    snapshots: join(data, 'snapshots'),
    outputs,
    running: join(outputs, 'running'),
    demo: join(data, 'demo'),
    config: resolve(PALIMPSEST_CONFIG ?? CONFIG_FILE),
    startConfig: resolve(CONFIG_FILE),
  }
}
