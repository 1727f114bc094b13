import { AppError } from '../domain/errors.ts'
import { rootOf, type Session } from '../domain/session/session.ts'
import type { BackgroundCommand, BackgroundOutput, Shell } from '../tool/shell.ts'

export type ProcessService = {
  /** The commands in the background of a session or of all, the last started first. */
  list(sessionId: string | null): Promise<BackgroundCommand[]>
  /** What a command has said from a character on. */
  output(query: { sessionId: string; processId: string; from?: number }): Promise<BackgroundOutput>
  /** Ends a command with everything that it started; resolves once all are gone, with whether it ran. */
  stop(input: { sessionId: string; processId: string }): Promise<{ stopped: boolean }>
}

/** The commands that run in the background of sessions. */
export function createProcessControl(
  { shell }: { shell: Shell | null },
  requireSession: (id: string) => Promise<Session>,
): ProcessService {
  /** Commands of subagents belong to their chat. */
  const chatOf = async (sessionId: string) => rootOf(await requireSession(sessionId))

  return {
    async list(sessionId) {
      const chatId = sessionId === null ? null : await chatOf(sessionId)
      return shell?.list(chatId) ?? []
    },
    async output({ sessionId, processId, from = 0 }) {
      const chatId = await chatOf(sessionId)
      const read = shell?.read(chatId, processId, from) ?? null
      if (read === null) throw unknown()
      return read
    },
    async stop({ sessionId, processId }) {
      const chatId = await chatOf(sessionId)
      if (shell === null || shell.read(chatId, processId, 0) === null) throw unknown()
      return { stopped: await shell.stop(chatId, processId) }
    },
  }
}

function unknown(): AppError {
  return new AppError('INVALID_INPUT', 'The session has no command in the background with this id.', {
    field: 'processId',
  })
}
