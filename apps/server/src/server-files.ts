import { dirname, join, resolve } from 'node:path'
import { databasePath } from '@palimpsest/db'
import type { ServerFiles } from './adapters/places/protected-places.ts'
import { CONFIG_FILE } from './config-file.ts'
import type { Env } from './env.ts'

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
