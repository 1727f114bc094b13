import { isObject } from '../../domain/json/stored-keys.ts'
import type { ExportLine } from '../../ports/index.ts'
import type { NewHash } from './archive-format.ts'

type Row = ExportLine['data']

/** Columns of a session's row that change without its content: places and times. An import leaves the last four out. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'parent_id',
  'parent_message_id',
  'revision',
  'updated_at',
  'archived_at',
  'agent',
  'workspace_root',
  'worker_id',
  'permissions_json',
])

/** Keys inside JSON columns that an import leaves out: states of files of another host, and, in former releases, its agents. */
const FILE_STATES: ReadonlySet<string> = new Set([
  'snapshot_id',
  'previous_snapshot_id',
  'file_count',
  'workspace',
  'agent',
])

/** Sums up the content of a session line by line: a session and what an import made of it have the same digest. */
export function createContentDigest(newHash: NewHash) {
  const hash = newHash()
  return {
    add({ type, data }: Pick<ExportLine, 'type' | 'data'>): void {
      hash.update(`${JSON.stringify([type, contentOf(type, data)])}\n`)
    },
    value: () => hash.digest(),
  }
}

function contentOf(type: ExportLine['type'], data: Row): Row {
  switch (type) {
    case 'session':
      return Object.fromEntries(Object.entries(data).filter(([key]) => !OUTSIDE.has(key)))
    case 'message':
      return { ...data, metadata_json: withoutStates(data['metadata_json']) }
    case 'history_op':
      return { ...data, detail_json: withoutStates(data['detail_json']) }
    default:
      return data
  }
}

/** The JSON's value without these keys; what is not JSON stays as it is. */
function withoutStates(json: unknown): unknown {
  if (typeof json !== 'string') return json
  try {
    const value: unknown = JSON.parse(json)
    if (!isObject(value)) return json
    return Object.fromEntries(Object.entries(value).filter(([key]) => !FILE_STATES.has(key)))
  } catch {
    return json
  }
}
