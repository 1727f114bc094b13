import { AppError } from '../domain/errors.ts'
import type { Session } from '../domain/session.ts'
import type { Shell } from '../tool/bash/shell.ts'
import type { SessionService } from './service.ts'

/** The commands that run in the background of sessions. */
export function createProcessControl(
  { shell }: { shell: Shell | null },
  requireSession: (id: string) => Promise<Session>,
): SessionService['processes'] {
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
