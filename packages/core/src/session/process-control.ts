import { AppError } from '../domain/errors.ts'
import type { Session } from '../domain/session.ts'
import type { BackgroundCommand, BackgroundOutput, Shell } from '../tool/bash/shell.ts'

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
  return {
    async list(sessionId) {
      if (sessionId !== null) await requireSession(sessionId)
      return shell?.list(sessionId) ?? []
    },
    async output({ sessionId, processId, from = 0 }) {
      await requireSession(sessionId)
      const read = shell?.read(sessionId, processId, from) ?? null
      if (read === null) throw unknown()
      return read
    },
    async stop({ sessionId, processId }) {
      await requireSession(sessionId)
      if (shell === null || shell.read(sessionId, processId, 0) === null) throw unknown()
      return { stopped: await shell.stop(sessionId, processId) }
    },
  }
}

function unknown(): AppError {
  return new AppError('INVALID_INPUT', 'The session has no command in the background with this id.', {
    field: 'processId',
  })
}
