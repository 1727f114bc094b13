import type { Pace } from '../async/pace.ts'
import { createId } from '../ids.ts'
import { isObject } from '../json/stored-keys.ts'
import type { ExportRow, ExportRows } from './export-rows.ts'

/** Old ids of the rows of one table with the ones they get. */
type Renaming = ReadonlyMap<string, string>
type Renamings = {
  sessions: Renaming
  messages: Renaming
  parts: Renaming
  operations: Renaming
  /** A restore point has the id of an operation or of a message. */
  points: Renaming
}

/** The keys inside JSON columns that hold ids of rows. */
type References = { [key: string]: keyof Renamings | References }

const IN_METADATA: References = { compaction_id: 'operations', window: { compaction_id: 'operations' } }
const IN_DETAIL: References = {
  target_message_id: 'messages',
  replaced_message_id: 'messages',
  summary_message_id: 'messages',
  tail_start_id: 'messages',
  undoes: 'operations',
  point_id: 'points',
  left_out: 'messages',
  brought_back: 'messages',
  part_ids: 'parts',
}
const IN_PARTS: Record<string, References> = {
  'data-compaction': { data: { tail_start_id: 'messages' } },
  'steering-message': { id: 'messages' },
}

/** The ids that the rows take, by table. */
export function exportedIds(rows: ExportRows): Record<Exclude<keyof Renamings, 'points'>, string[]> {
  const idsOf = (some: { id: string }[]) => some.map(({ id }) => id)
  return {
    sessions: [rows.session.id],
    messages: idsOf(rows.messages),
    parts: idsOf(rows.parts),
    operations: idsOf(rows.operations),
  }
}

/**
 * The same rows under new ids, and with them every reference from one to another. Other text keeps every byte. The
 * session gets `copyId` when it is given. `pace` is called between the rows.
 */
export async function withNewIds(rows: ExportRows, copyId?: string, pace?: Pace): Promise<ExportRows> {
  const ids = exportedIds(rows)
  const renaming = async (some: string[], prefix: Parameters<typeof createId>[0]) =>
    new Map(await eachOf(some, (id) => [id, createId(prefix)] as const, pace))
  const messages = await renaming(ids.messages, 'msg')
  const operations = await renaming(ids.operations, 'op')
  const renamings: Renamings = {
    sessions:
      copyId === undefined ? await renaming(ids.sessions, 'ses') : new Map([[rows.session.id, copyId]]),
    messages,
    parts: await renaming(ids.parts, 'prt'),
    operations,
    points: new Map([...messages, ...operations]),
  }
  return {
    session: withNewId(rows.session, renamings.sessions),
    deletedAt: rows.deletedAt,
    messages: await eachOf(rows.messages, (row) => renameMessage(row, renamings), pace),
    parts: await eachOf(rows.parts, (row) => renamePart(row, renamings), pace),
    operations: await eachOf(rows.operations, (row) => renameOperation(row, renamings), pace),
    systemPrompts: rows.systemPrompts,
  }
}

async function eachOf<T, R>(items: readonly T[], map: (item: T) => R, pace: Pace | undefined): Promise<R[]> {
  const mapped: R[] = []
  for (const item of items) {
    await pace?.()
    mapped.push(map(item))
  }
  return mapped
}

function renameOperation(row: ExportRow<'history_op'>, renamings: Renamings): ExportRow<'history_op'> {
  return {
    ...withNewId(row, renamings.operations),
    session_id: renamed(row.session_id, renamings.sessions),
    detail_json: renameInside(row.detail_json, IN_DETAIL, renamings),
  }
}

function renameMessage(row: ExportRow<'message'>, renamings: Renamings): ExportRow<'message'> {
  return {
    ...withNewId(row, renamings.messages),
    session_id: renamed(row.session_id, renamings.sessions),
    hidden_by: row.hidden_by === null ? null : renamed(row.hidden_by, renamings.operations),
    metadata_json: renameInside(row.metadata_json, IN_METADATA, renamings),
  }
}

function renamePart(row: ExportRow<'part'>, renamings: Renamings): ExportRow<'part'> {
  const references = Object.hasOwn(IN_PARTS, row.type) ? IN_PARTS[row.type] : undefined
  return {
    ...withNewId(row, renamings.parts),
    message_id: renamed(row.message_id, renamings.messages),
    session_id: renamed(row.session_id, renamings.sessions),
    data_json: references === undefined ? row.data_json : renameInside(row.data_json, references, renamings),
  }
}

function renamed(id: string, ids: Renaming): string {
  return ids.get(id) ?? id
}

function withNewId<R extends { id: string }>(row: R, ids: Renaming): R {
  return { ...row, id: renamed(row.id, ids) }
}

function renameInside(json: string, references: References, renamings: Renamings): string {
  const value = parse(json)
  return isObject(value) && replaceIn(value, references, renamings) ? JSON.stringify(value) : json
}

/** True when there was something to replace. */
function replaceIn(value: Record<string, unknown>, references: References, renamings: Renamings): boolean {
  return Object.entries(references)
    .map(([key, reference]) => {
      const inner = value[key]
      if (typeof reference === 'object') return isObject(inner) && replaceIn(inner, reference, renamings)
      const next = replaced(inner, renamings[reference])
      if (next === undefined) return false
      value[key] = next
      return true
    })
    .includes(true)
}

function replaced(value: unknown, ids: Renaming): string | unknown[] | undefined {
  if (typeof value === 'string') return ids.get(value)
  if (!Array.isArray(value)) return undefined
  return value.map((one: unknown) => (typeof one === 'string' ? renamed(one, ids) : one))
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
