import type { PermissionRule } from '@palimpsest/core/domain'
import { findRepository } from '../git/find-repository.ts'

/**
 * Whether the files of a workspace are kept, so that a rewind restores them: what the configuration says, and without it in a
 * git checkout in which a tool could change files.
 */
export function keepsFiles(facts: {
  /** The setting `snapshots`; undefined where it is not set. */
  configured: boolean | undefined
  isCheckout: boolean
  canWrite: boolean
}): boolean {
  return facts.configured ?? (facts.isCheckout && facts.canWrite)
}

/** What tools need to change files: an edit, or a command. */
const WRITING = ['edit', 'command']

/** Whether the rules of the configuration leave any way to change files. Only a pinned rule can't be loosened later. */
export function canWrite(
  rules: readonly Pick<PermissionRule, 'permission' | 'pattern' | 'action' | 'pinned'>[],
): boolean {
  const denied = rules.filter(
    ({ action, pinned, pattern }) => action === 'deny' && pinned === true && pattern === '*',
  )
  return !WRITING.every((act) => denied.some(({ permission }) => permission === act || permission === '*'))
}

/** Whether a folder (its real path) is in a repository of this user that can be read. */
export async function isCheckout(root: string): Promise<boolean> {
  const found = await findRepository(root)
  return found !== null && found !== 'unusable'
}
