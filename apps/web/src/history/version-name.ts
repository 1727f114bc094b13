import type { Session } from '@palimpsest/core/domain'

type Named = Pick<Session, 'id' | 'title' | 'parentId' | 'createdAt' | 'metadata'>

/** What a session is called beside its family: its title, or its number where it still has its parent's. */
export function versionName(
  session: Named,
  family: readonly Named[],
  words: { branch: (number: number) => string },
): string {
  const parent = family.find(({ id }) => id === session.parentId)
  if (parent === undefined || parent.title !== session.title) return session.title
  const siblings = family
    .filter(({ parentId, metadata }) => parentId === parent.id && metadata.ephemeral !== true)
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  const at = siblings.findIndex(({ id }) => id === session.id)
  return at === -1 ? session.title : words.branch(at + 1)
}
