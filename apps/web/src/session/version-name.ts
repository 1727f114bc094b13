import { DEFAULT_TITLE, firstWords, type Session } from '@palimpsest/core/domain'
import { visibleWords } from '@palimpsest/ui'
import { familyOf, type Lineage } from './forks.ts'
import type { SessionState } from './session-state.ts'

type Named = Pick<Session, 'id' | 'title' | 'parentId' | 'createdAt' | 'metadata'>
type Words = { branch: (number: string) => string; unasked: (number: number | null) => string }

/**
 * What a session is called beside its family: its title, which a branch has from its first own question or from a
 * person. A branch without one is called so, with its number where a family has several; one of a release that gave
 * branches no title has its number: 2, and 2.1 for the first branch of the second one.
 */
export function versionName(session: Named, family: readonly Named[], words: Words): string {
  if (isUnasked(session)) return words.unasked(numberAmong(session, family.filter(isUnasked)))
  const number = numberOf(session, family)
  return number === null ? visibleWords(session.title) : words.branch(number)
}

/** What a session is called away from its family: a branch without a title of its own behind that of its parent. */
export function foundName(session: Named, family: readonly Named[], words: Words): string {
  const name = versionName(session, family, words)
  const title = visibleWords(session.title)
  return name === title ? name : `${title} · ${name}`
}

/**
 * What the page calls its session in its heading, or away from its family in the tab; null until that is known. A chat
 * that the server has not named yet is called by the first words that were sent.
 */
export function pageName(
  state: Pick<SessionState, 'session' | 'outgoing' | 'messages'>,
  lineage: Lineage | null,
  words: Words,
  nameOf: typeof versionName,
): string | null {
  const { session } = state
  if (session === null || isUntitled(session)) return sentWords(state) ?? session?.title ?? null
  return lineage === null && !isUnasked(session)
    ? visibleWords(session.title)
    : nameOf(session, lineage === null ? [session] : familyOf(lineage.root), words)
}

/** A chat that nobody has named, and no message yet. */
export function isUntitled({ title, metadata }: Pick<Named, 'title' | 'metadata'>): boolean {
  return title === DEFAULT_TITLE && metadata.titledBy === undefined
}

/** The first words that were sent in this page; null before there are any. */
export function sentWords({
  outgoing,
  messages,
}: Pick<SessionState, 'outgoing' | 'messages'>): string | null {
  const sent = [...messages, ...outgoing.map(({ message }) => message)]
  const first = sent.find(({ role }) => role === 'user')
  return (first && firstWords(first.parts)) || null
}

/** A branch in which nothing was asked since it was made. */
function isUnasked({ parentId, metadata }: Named): boolean {
  return parentId !== null && metadata.titledBy === 'parent'
}

/** The number of a session among these, in order of creation; null where it is alone. */
function numberAmong(session: Named, sessions: readonly Named[]): number | null {
  const at = inOrder(sessions).findIndex(({ id }) => id === session.id)
  return at === -1 || sessions.length === 1 ? null : at + 1
}

/** Null for a session that has a title of its own. */
function numberOf(session: Named, family: readonly Named[]): string | null {
  if (session.metadata.titledBy === 'first-words') return null
  const parent = family.find(({ id }) => id === session.parentId)
  if (parent === undefined || parent.title !== session.title) return null
  const siblings = family.filter(
    ({ parentId, metadata }) => parentId === parent.id && metadata.ephemeral !== true,
  )
  const at = inOrder(siblings).findIndex(({ id }) => id === session.id)
  if (at === -1) return null
  const above = numberOf(parent, family)
  return above === null ? `${at + 1}` : `${above}.${at + 1}`
}

function inOrder(sessions: readonly Named[]): Named[] {
  return sessions.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}
