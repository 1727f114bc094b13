import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { SchemaContainer } from '@prisma/schema-engine-wasm/schema_engine_bg'

const FILES = ['sqlite/schema.prisma', 'models.prisma']

/** The Prisma schema: the header of this database and the models that every database shares. */
export function readSchemaFiles(): Promise<SchemaContainer[]> {
  return Promise.all(
    FILES.map(async (file) => {
      const path = fileURLToPath(new URL(`../../prisma/${file}`, import.meta.url))
      return { path, content: await readFile(path, 'utf8') }
    }),
  )
}
