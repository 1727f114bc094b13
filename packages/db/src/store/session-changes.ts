import { AppError } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import type { SessionRow } from '../rows/session-row.ts'
import { readSession, type SessionChanges, updateSession } from '../sql/session-rows.ts'

/** Notes a change of the session or its history, and changes these columns with it. `SESSION_NOT_FOUND`. */
export async function touchSession(
  queries: RawQueries,
  sessionId: string,
  at: number,
  changes: SessionChanges = {},
): Promise<SessionRow> {
  return (await updateSession(queries, sessionId, at, changes)) ?? missingSession()
}

/** `SESSION_NOT_FOUND`. */
export async function existingSession(queries: RawQueries, sessionId: string): Promise<SessionRow> {
  return (await readSession(queries, sessionId)) ?? missingSession()
}

/** The session when it takes new messages. `SESSION_NOT_FOUND`, `SESSION_ARCHIVED`. */
export async function openSession(queries: RawQueries, sessionId: string): Promise<SessionRow> {
  const session = await existingSession(queries, sessionId)
  if (session.archivedAt !== null) throw new AppError('SESSION_ARCHIVED', 'This session is archived.')
  return session
}

export function missingSession(): never {
  throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
}
