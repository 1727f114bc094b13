import { AppError } from '@palimpsest/core/domain'
import type { Queries } from '../connect/queries.ts'
import type { ChatSession, Prisma } from '../generated/client.ts'

/** Notes a change of the session or its history, and changes these columns with it. `SESSION_NOT_FOUND`. */
export async function touchSession(
  queries: Queries,
  sessionId: string,
  at: number,
  columns: Prisma.ChatSessionUncheckedUpdateManyInput = {},
): Promise<ChatSession> {
  const [row] = await queries.chatSession.updateManyAndReturn({
    where: { id: sessionId },
    data: { ...columns, updatedAt: at, revision: { increment: 1 } },
  })
  return row ?? missingSession()
}

/** `SESSION_NOT_FOUND`. */
export async function existingSession(queries: Queries, sessionId: string): Promise<ChatSession> {
  return (await queries.chatSession.findUnique({ where: { id: sessionId } })) ?? missingSession()
}

/** The session when it takes new messages. `SESSION_NOT_FOUND`, `SESSION_ARCHIVED`. */
export async function openSession(queries: Queries, sessionId: string): Promise<ChatSession> {
  const session = await existingSession(queries, sessionId)
  if (session.archivedAt !== null) throw new AppError('SESSION_ARCHIVED', 'This session is archived.')
  return session
}

function missingSession(): never {
  throw new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
}
