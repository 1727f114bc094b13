import { type Check, type Fields, object, oneOf, problemIn } from '../checks/check.ts'
import { MESSAGE_METADATA, model } from '../checks/message-metadata.ts'
import { lastPlaceOf, OPERATION_DETAIL, operationKind, PLACES } from '../checks/operation-detail.ts'
import { partCheck, userPart } from '../checks/part-data.ts'
import { SESSION_METADATA } from '../checks/session-metadata.ts'
import { jsonExcess } from '../json/json-bounds.ts'
import {
  HISTORY_DETAIL_KEYS,
  isObject,
  MESSAGE_METADATA_KEYS,
  MODEL_KEYS,
  misnamedKey,
  readStored,
  SESSION_METADATA_KEYS,
  type StoredKeys,
} from '../json/stored-keys.ts'
import { IMPORT_LIMITS } from '../limits.ts'
import type { ExportRow } from './export-rows.ts'

/** What is wrong with a row. The message is read after "Line 5 cannot be imported: ". */
export class Flaw extends Error {}

/**
 * The session as it is imported: without the folder, worker and rules of its old host, since imported rows must not
 * act here. That of a subagent is an ordinary chat.
 */
export function admitSession(row: ExportRow<'session'>): ExportRow<'session'> {
  parse('model_json', row.model_json, MODEL_KEYS, model)
  const metadata = parse(
    'metadata_json',
    row.metadata_json,
    SESSION_METADATA_KEYS,
    inFields(SESSION_METADATA),
  )
  if (row.metadata_json.length > IMPORT_LIMITS.metadataCharacters)
    throw new Flaw(`metadata_json must be at most ${IMPORT_LIMITS.metadataCharacters} characters`)
  if (!Array.isArray(parseJson('permissions_json', row.permissions_json)))
    throw new Flaw('permissions_json must be a list')
  return {
    ...row,
    workspace_root: null,
    worker_id: null,
    permissions_json: '[]',
    metadata_json: without(['subagent'], metadata, row.metadata_json),
  }
}

const role = oneOf(['user', 'assistant'])

/** The message as it is imported: without snapshots of a folder that is not imported. */
export function admitMessage(row: ExportRow<'message'>): ExportRow<'message'> {
  demand('role', role(row.role))
  const { seq, queued_at, hidden_at, hidden_by } = row
  if (seq === null && queued_at === null) throw new Flaw('the message has no place')
  if (seq !== null && queued_at !== null) throw new Flaw('the message has a place and is queued')
  if (queued_at !== null && row.role !== 'user') throw new Flaw('only a message of role user is queued')
  if (hidden_by !== null && hidden_at === null) throw new Flaw('hidden_by needs hidden_at')
  const metadata = parse(
    'metadata_json',
    row.metadata_json,
    MESSAGE_METADATA_KEYS,
    inFields(MESSAGE_METADATA),
  )
  return { ...row, metadata_json: without(['snapshot_id', 'workspace'], metadata, row.metadata_json) }
}

/** Checks the part of a message of this role. A part of an unknown, newer type is imported unchanged. */
export function admitPart(row: ExportRow<'part'>, messageRole: string): Record<string, unknown> {
  const data = parseJson('data_json', row.data_json)
  if (!isObject(data) || data['type'] !== row.type) throw new Flaw('data_json must be a part of its type')
  const check = messageRole === 'user' ? userPart : partCheck(row.type)
  demand('data_json', check?.(data) ?? null)
  const isTool = row.type === 'dynamic-tool' || row.type.startsWith('tool-')
  if (row.tool_call_id !== (isTool ? data['toolCallId'] : null))
    throw new Flaw('tool_call_id must be that of data_json')
  if (row.tool_state !== (isTool ? data['state'] : null))
    throw new Flaw('tool_state must be the state of data_json')
  return data
}

const detail = object(PLACES, OPERATION_DETAIL)

/** The operation as it is imported, without its snapshots; and the last place that it names. */
export function admitOperation(row: ExportRow<'history_op'>): {
  row: ExportRow<'history_op'>
  lastPlace: number
} {
  demand('kind', operationKind(row.kind))
  const stored = parse('detail_json', row.detail_json, HISTORY_DETAIL_KEYS, detail)
  const files = ['snapshot_id', 'previous_snapshot_id', 'file_count']
  return {
    row: { ...row, detail_json: without(files, stored, row.detail_json) },
    lastPlace: lastPlaceOf(readStored(stored, HISTORY_DETAIL_KEYS)),
  }
}

function parseJson(column: string, json: string): unknown {
  const { values, metadataNesting } = IMPORT_LIMITS
  const nesting = column === 'metadata_json' ? metadataNesting : IMPORT_LIMITS.nesting
  const excess = jsonExcess(json, { nesting, values })
  if (excess === 'nesting') throw new Flaw(`${column} must be nested at most ${nesting} times`)
  if (excess === 'values') throw new Flaw(`${column} must have at most ${values} values`)
  try {
    return JSON.parse(json)
  } catch {
    throw new Flaw(`${column} must be JSON`)
  }
}

/** The stored object, whose values pass the check under the names of the domain. */
function parse(column: string, json: string, keys: StoredKeys, check: Check): Record<string, unknown> {
  const value = parseJson(column, json)
  if (!isObject(value)) throw new Flaw(`${column} must be an object`)
  const misnamed = misnamedKey(value, keys)
  if (misnamed !== null) throw new Flaw(`${column}.${misnamed} is stored under another name`)
  demand(column, check(readStored(value, keys)))
  return value
}

function inFields(fields: Fields): Check {
  return (value) => (isObject(value) ? problemIn(value, fields) : ' must be an object')
}

function demand(column: string, problem: string | null): void {
  if (problem !== null) throw new Flaw(`${column}${problem}`)
}

/** The JSON text without these keys; the very same when it has none of them. */
function without(keys: readonly string[], value: Record<string, unknown>, json: string): string {
  if (!keys.some((key) => Object.hasOwn(value, key))) return json
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))))
}
