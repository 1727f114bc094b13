import type { Session } from '@palimpsest/core/domain'
import { familyOf, type Lineage } from './forks.ts'

type Named = Pick<Session, 'id' | 'title' | 'parentId' | 'createdAt' | 'metadata'>

/**
 * What a session is called beside its family: its title, or where it still has its parent's, its number: 2, and 2.1 for
 * the first branch of the second one.
 */
export function versionName(
  session: Named,
  family: readonly Named[],
  words: { branch: (number: string) => string },
): string {
  const number = numberOf(session, family)
  return number === null ? session.title : words.branch(number)
}

/** What a session is called away from its family: a branch without a title of its own behind that of its parent. */
export function foundName(
  session: Named,
  family: readonly Named[],
  words: { branch: (number: string) => string },
): string {
  const name = versionName(session, family, words)
  return name === session.title ? name : `${session.title} · ${name}`
}

/** `foundName` in the family of this lineage; the title alone until that has been read. */
export function nameInFamily(
  session: Session,
  lineage: Lineage | null,
  words: { branch: (number: string) => string },
): string {
  return lineage === null ? session.title : foundName(session, familyOf(lineage.root), words)
}

/** Null for a session that has a title of its own. */
function numberOf(session: Named, family: readonly Named[]): string | null {
  const parent = family.find(({ id }) => id === session.parentId)
  if (parent === undefined || parent.title !== session.title) return null
  const siblings = family
    .filter(({ parentId, metadata }) => parentId === parent.id && metadata.ephemeral !== true)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  const at = siblings.findIndex(({ id }) => id === session.id)
  if (at === -1) return null
  const above = numberOf(parent, family)
  return above === null ? `${at + 1}` : `${above}.${at + 1}`
}
