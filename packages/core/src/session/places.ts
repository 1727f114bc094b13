import { AppError } from '../domain/errors.ts'
import type { Session } from '../domain/session/session.ts'
import { workspaceOf } from '../history/files/workspace-of.ts'
import type { Workspaces } from '../ports/index.ts'
import type { SourcePlace } from './source-service.ts'

/** The folders that calls name. */
export function createPlaces(workspaces: Workspaces, requireSession: (id: string) => Promise<Session>) {
  return {
    /** The real path of the place; null for none. `PERMISSION_DENIED` for a named folder that is not allowed. */
    async rootOf({ sessionId, workspaceRoot }: SourcePlace): Promise<string | null> {
      if (sessionId !== undefined) return await workspaceOf(await requireSession(sessionId), workspaces)
      if (workspaceRoot === undefined)
        return await workspaceOf({ workspaceRoot: workspaces.defaultFolder }, workspaces)
      return workspaceRoot === null ? null : await allowedFolder(workspaceRoot, workspaces)
    },
  }
}

/** The real path of a folder that a caller names. `PERMISSION_DENIED` for one that is not allowed. */
export async function allowedFolder(folder: string, workspaces: Workspaces): Promise<string> {
  const root = await workspaces.resolve(folder)
  if (root !== null) return root
  throw new AppError('PERMISSION_DENIED', 'The operator of this server does not allow that folder.', {
    field: 'workspaceRoot',
  })
}
