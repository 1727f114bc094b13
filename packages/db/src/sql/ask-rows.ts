import { AppError, type Ask, type AskReply, type AskRequest, isObject } from '@palimpsest/core/domain'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

type AskRow = {
  id: string
  sessionId: string
  runId: string
  messageId: string
  toolCallId: string
  step: number
  requestJson: string
  replyJson: string | null
  createdAt: number
  rootSessionId: string | null
}

const REPLIES: readonly unknown[] = [
  'approved',
  'denied',
  'answered',
  'cancelled',
  'ended',
] satisfies AskReply['type'][]

const SELECT = `SELECT id, session_id AS "sessionId", run_id AS "runId", message_id AS "messageId",
tool_call_id AS "toolCallId", step, request_json AS "requestJson", reply_json AS "replyJson", created_at AS "createdAt",
root_session_id AS "rootSessionId"
FROM asks`

export async function insertAsks(queries: RawQueries, asks: readonly Ask[]): Promise<void> {
  for (const {
    id,
    sessionId,
    rootSessionId,
    runId,
    messageId,
    toolCallId,
    step,
    request,
    createdAt,
  } of asks) {
    await queries.$executeRawUnsafe(
      `INSERT INTO asks (id, session_id, run_id, message_id, tool_call_id, step, request_json, created_at, root_session_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      sessionId,
      runId,
      messageId,
      toolCallId,
      step,
      JSON.stringify(request),
      createdAt,
      rootSessionId === sessionId ? null : rootSessionId,
    )
  }
}

/** The open asks of a session and of the subagents whose root it is, or of all, the oldest first. */
export async function openAsks(queries: ReadQueries, sessionId: string | null): Promise<Ask[]> {
  const [which, values] =
    sessionId === null ? ['', []] : ['AND (session_id = ? OR root_session_id = ?)', [sessionId, sessionId]]
  const sql = `${SELECT} WHERE replied_at IS NULL ${which} ORDER BY created_at, id`
  return (await queries.$queryRawUnsafe<AskRow[]>(sql, ...values)).flatMap(toAsk)
}

/** The asks of a run, the oldest first. */
export async function asksOfRun(queries: ReadQueries, runId: string): Promise<Ask[]> {
  const sql = `${SELECT} WHERE run_id = ? ORDER BY created_at, id`
  return (await queries.$queryRawUnsafe<AskRow[]>(sql, runId)).flatMap(toAsk)
}

export async function readAsk(queries: ReadQueries, askId: string): Promise<Ask | null> {
  const rows = await queries.$queryRawUnsafe<AskRow[]>(`${SELECT} WHERE id = ?`, askId)
  return rows.flatMap(toAsk)[0] ?? null
}

/** Of two replies the first one counts. */
export async function replyToAsk(
  queries: RawQueries,
  askId: string,
  reply: Ask['reply'],
  at: number,
): Promise<Ask> {
  const replied = await queries.$executeRawUnsafe(
    'UPDATE asks SET reply_json = ?, replied_at = ? WHERE id = ? AND replied_at IS NULL',
    JSON.stringify(reply),
    at,
    askId,
  )
  const ask = await readAsk(queries, askId)
  if (ask === null) throw new AppError('INVALID_INPUT', 'Nothing was asked under this id.')
  if (replied === 0) throw new AppError('CONFLICT', 'This has been answered already.')
  return ask
}

/** Cancels the open asks of a run. */
export async function cancelAsks(queries: RawQueries, runId: string, at: number): Promise<void> {
  await queries.$executeRawUnsafe(
    'UPDATE asks SET reply_json = ?, replied_at = ? WHERE run_id = ? AND replied_at IS NULL',
    JSON.stringify({ type: 'cancelled' } satisfies Ask['reply']),
    at,
    runId,
  )
}

/** The ask; none for a row that was damaged since it was written. */
function toAsk({ requestJson, replyJson, rootSessionId, ...row }: AskRow): Ask[] {
  const request = parse(requestJson)
  const reply = replyJson === null ? null : parse(replyJson)
  if (!isRequest(request) || (replyJson !== null && !isReply(reply))) return []
  return [
    {
      ...row,
      rootSessionId: rootSessionId ?? row.sessionId,
      createdAt: Number(row.createdAt),
      request,
      reply: isReply(reply) ? reply : null,
    },
  ]
}

/** Only the product writes the column: the rest is what it wrote beside these. */
function isRequest(value: unknown): value is AskRequest {
  if (!isObject(value)) return false
  if (value['kind'] === 'answer') return Array.isArray(value['questions'])
  if (value['kind'] === 'task') return isObject(value['task'])
  return value['kind'] === 'approval' && isObject(value['args']) && Array.isArray(value['patterns'])
}

function isReply(value: unknown): value is AskReply {
  return isObject(value) && REPLIES.includes(value['type'])
}

/** Undefined for what is no JSON. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
