import { isObject, type ListedModel, PROVIDER_KINDS } from '@palimpsest/core/domain'
import type { ProviderRow } from '@palimpsest/core/ports'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

export async function readValues(queries: ReadQueries): Promise<Map<string, unknown>> {
  const rows = await queries.$queryRawUnsafe<{ key: string; json: string }[]>(
    'SELECT key, value_json AS json FROM settings ORDER BY key',
  )
  return new Map(
    rows.flatMap(({ key, json }) => {
      const value = parse(json)
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

export async function writeValues(
  queries: RawQueries,
  values: ReadonlyMap<string, unknown>,
  at: number,
): Promise<void> {
  for (const [key, value] of values) {
    if (value === null) await queries.$executeRawUnsafe('DELETE FROM settings WHERE key = ?', key)
    else
      await queries.$executeRawUnsafe(
        `INSERT INTO settings (key, value_json, updated_at) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET value_json = excluded.value_json, updated_at = excluded.updated_at`,
        key,
        JSON.stringify(value),
        at,
      )
  }
}

type Row = {
  id: string
  kind: string
  label: string | null
  baseURL: string | null
  sealedKey: string | null
  models: string
  listed: string
}

/** In the order in which they were entered. A row that was damaged is left out. */
export async function readProviders(queries: ReadQueries): Promise<ProviderRow[]> {
  const rows = await queries.$queryRawUnsafe<Row[]>(
    `SELECT id, kind, label, base_url AS "baseURL", sealed_key AS "sealedKey", models_json AS models,
       listed_json AS listed
     FROM providers ORDER BY created_at, id`,
  )
  return rows.flatMap(toProvider)
}

export async function putProvider(queries: RawQueries, row: ProviderRow, at: number): Promise<void> {
  const { id, kind, label, baseURL, sealedKey, models, listed: named } = row
  await queries.$executeRawUnsafe(
    `INSERT INTO providers (id, kind, label, base_url, sealed_key, models_json, listed_json, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, label = excluded.label, base_url = excluded.base_url,
       sealed_key = excluded.sealed_key, models_json = excluded.models_json, listed_json = excluded.listed_json,
       updated_at = excluded.updated_at`,
    id,
    kind,
    label,
    baseURL,
    sealedKey,
    JSON.stringify(models),
    JSON.stringify(named),
    at,
    at,
  )
}

export async function removeProvider(queries: RawQueries, id: string): Promise<boolean> {
  return (await queries.$executeRawUnsafe('DELETE FROM providers WHERE id = ?', id)) > 0
}

/** None for a row whose kind is unknown; lists that cannot be read are empty. */
function toProvider({ models, listed, ...row }: Row): ProviderRow[] {
  const kind = PROVIDER_KINDS.find((known) => known === row.kind)
  if (kind === undefined) return []
  return [{ ...row, kind, models: items(models).filter(isText), listed: items(listed).flatMap(toListed) }]
}

function items(json: string): unknown[] {
  const value = parse(json)
  return Array.isArray(value) ? value : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** None for what names no model. */
function toListed(value: unknown): ListedModel[] {
  if (!isObject(value) || !isText(value['modelId'])) return []
  const { modelId, contextLimit } = value
  return [{ modelId, ...(isCount(contextLimit) && { contextLimit }) }]
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

/** Undefined for what is no JSON. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
