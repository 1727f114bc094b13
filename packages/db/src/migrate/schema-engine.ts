import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import { createEngineAdapter } from './engine-adapter.ts'
import { readSchemaFiles } from './schema-files.ts'

/** Tables that full text search keeps for itself, and that no Prisma schema can name. */
export const SCHEMA_FILTER = {
  externalTables: [
    'search_index',
    'search_index_data',
    'search_index_idx',
    'search_index_docsize',
    'search_index_config',
  ],
  externalEnums: [],
}

let instantiated: Promise<void> | null = null

/** Prisma's schema engine in WebAssembly, over this connection. It loads slowly: only who migrates calls this. */
export async function loadSchemaEngine(connection: SqlDriverAdapter): Promise<bindings.SchemaEngine> {
  // Its bindings keep views of one instance's memory, so that a process can have only one.
  instantiated ??= instantiate()
  await instantiated
  const datamodels = (await readSchemaFiles()).map(({ path, content }): [string, string] => [path, content])
  const adapter = bindMigrationAwareSqlAdapterFactory(createEngineAdapter(connection))
  return bindings.SchemaEngine.new({ datamodels }, () => {}, adapter)
}

async function instantiate(): Promise<void> {
  const url = new URL('./schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm'))
  const { instance } = await WebAssembly.instantiate(await readFile(fileURLToPath(url)), {
    './schema_engine_bg.js': bindings,
  })
  const start = instance.exports['__wbindgen_start']
  if (typeof start !== 'function') throw new Error('The schema engine has no start.')
  bindings.__wbg_set_wasm(instance.exports)
  start()
}
