import { setImmediate } from 'node:timers/promises'
import {
  type CountedWindow,
  isObject,
  MESSAGE_METADATA,
  type OutlineEntry,
  parseStored,
  type Role,
  readable,
  soundWindow,
  WINDOW_KEYS,
} from '@palimpsest/core/domain'
import type { ReadQueries } from '../connect/statements.ts'

type EntryRow = {
  id: string
  seq: number
  role: Role
  hiddenBy: string | null
  compactionId: string | null
  windowJson: string | null
  condensed: number
  createdAt: number | bigint
}

/** Entries that one statement reads. */
const PAGE = 2_000

/** A session's messages without their bodies, in order; between pages of them other work of the host has a turn. */
export async function outlineEntries(queries: ReadQueries, sessionId: string): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = []
  for (let last: number | undefined = Number.MIN_SAFE_INTEGER; last !== undefined; ) {
    const page = await outlinePage(queries, sessionId, last)
    for (const entry of page) entries.push(entry)
    last = page.length < PAGE ? undefined : page.at(-1)?.seq
    if (last !== undefined) await setImmediate()
  }
  return entries
}

async function outlinePage(queries: ReadQueries, sessionId: string, after: number): Promise<OutlineEntry[]> {
  const rows = await queries.$queryRawUnsafe<EntryRow[]>(
    `SELECT id, seq, CASE WHEN role IN ('user', 'system') THEN role ELSE 'assistant' END AS role,
       CASE WHEN hidden_at IS NOT NULL THEN coalesce(hidden_by, 'unknown') END AS "hiddenBy",
       compaction_id AS "compactionId", window_json AS "windowJson", condensed, created_at AS "createdAt"
     FROM chat_messages WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ${PAGE}`,
    sessionId,
    after,
  )
  return rows.map(({ id, seq, role, hiddenBy, compactionId, windowJson, condensed, createdAt }) => ({
    id,
    seq,
    role,
    hiddenBy,
    compactionId,
    window: windowJson === null ? null : readWindow(windowJson),
    condensed: condensed === 1,
    createdAt: Number(createdAt),
  }))
}

function readWindow(json: string): CountedWindow | null {
  const window = soundWindow(parseStored(json, WINDOW_KEYS) ?? {})
  const value = readable({ window }, MESSAGE_METADATA)['window']
  // What passes the check is such a window.
  return isObject(value) ? (value as CountedWindow) : null
}
