import type { ChatMessage, Session } from '@palimpsest/core/domain'

/** A session in a family; `children` in order of creation. */
export type LineageNode = { session: Session; forkMessageId: string | null; children: LineageNode[] }

export type Lineage = { root: LineageNode; current: string; ancestors: string[] }

/** A message of the session after which several ways go on; this session's own among them. */
export type Fork = { messageId: string; sessions: readonly Session[] }

/** Where the ways part in this session: at the message that it branched from, and at those that others branched from. */
export function forksOf(lineage: Lineage, shown: readonly ChatMessage[]): Fork[] {
  const current = findNode(lineage.root, lineage.current)
  if (current === null) return []
  const parent = findNode(lineage.root, lineage.ancestors.at(-1) ?? '')
  const origin = parent === null ? null : lastCopied(shown, current.session)
  const branches = Map.groupBy(
    current.children.filter(isOrdinary),
    ({ forkMessageId }) => forkMessageId ?? '',
  )
  const siblings = parent?.children.filter(
    (child) => child.forkMessageId === current.forkMessageId && (isOrdinary(child) || child === current),
  )
  if (origin !== null && !branches.has(origin)) branches.set(origin, [])
  return [...branches].flatMap(([messageId, children]) => {
    const own = messageId === origin && parent !== null ? [parent, ...(siblings ?? [])] : [current]
    const sessions = [...own, ...children].map(({ session }) => session)
    return shown.some(({ id }) => id === messageId) ? [{ messageId, sessions }] : []
  })
}

export function findNode(node: LineageNode, sessionId: string): LineageNode | null {
  if (node.session.id === sessionId) return node
  for (const child of node.children) {
    const found = findNode(child, sessionId)
    if (found !== null) return found
  }
  return null
}

/** The last message of a branch that it was made with: copies keep the time at which they were said. */
function lastCopied(shown: readonly ChatMessage[], branch: Session): string | null {
  return shown.findLast((message) => isCopied(message, branch))?.id ?? null
}

export function isCopied({ metadata }: ChatMessage, branch: Session): boolean {
  return (metadata?.createdAt ?? Number.POSITIVE_INFINITY) <= branch.createdAt
}

function isOrdinary({ session }: LineageNode): boolean {
  return session.metadata.ephemeral !== true && session.metadata.subagent === undefined
}

/** Every session of a family, parents before their children. */
export function familyOf({ session, children }: LineageNode): Session[] {
  return [session, ...children.flatMap(familyOf)]
}
