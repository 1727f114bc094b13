import type { Session } from '../../domain/session.ts'
import type { Workspaces } from '../../ports/index.ts'

/**
 * Returns the real path of a session's folder, or null when the operator does not allow it. Call it at each use: the row may
 * be older than the operator's settings, and a link may lead elsewhere by now.
 */
export async function workspaceOf(
  { workspaceRoot }: Pick<Session, 'workspaceRoot'>,
  workspaces: Workspaces,
): Promise<string | null> {
  const root = workspaceRoot ?? workspaces.folders[0]
  return root === undefined ? null : await workspaces.resolve(root)
}
