import type { Session } from '../../domain/session/session.ts'
import type { Workspaces } from '../../ports/index.ts'

/**
 * Returns the real path of a session's folder; null when it has none, or one that the operator does not allow. Call it at each use:
 * the row may be older than the operator's settings, and a link may lead elsewhere by now.
 */
export async function workspaceOf(
  { workspaceRoot }: Pick<Session, 'workspaceRoot'>,
  workspaces: Workspaces,
): Promise<string | null> {
  return workspaceRoot === null ? null : await workspaces.resolve(workspaceRoot)
}
