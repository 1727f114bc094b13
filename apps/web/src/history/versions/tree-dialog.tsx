import { type ChatMessage, firstWords, IDLE, type Session, type SessionStatus } from '@palimpsest/core/domain'
import { type BranchNode, BranchTree, useMessages } from '@palimpsest/ui'
import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWorkspace } from '../../list/workspace-context.tsx'
import { familyOf, isCopied, type Lineage, type LineageNode } from '../../session/forks.ts'
import { versionName } from '../../session/version-name.ts'
import { useStore } from '../../state/use-store.ts'
import { useApp } from '../../stores/app-context.tsx'
import { lineOf } from '../actions/prompts.ts'
import { versionQuery } from './version-query.ts'

export type TreeDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  lineage: Lineage | null
}

/** Every branch of the family, with what each is doing now. */
export function TreeDialog({ open, onOpenChange, lineage }: TreeDialogProps) {
  const { router, chats } = useApp()
  const { actions } = useWorkspace()
  const { versions } = useMessages().history
  const { statuses } = useStore(chats)
  const family = lineage === null ? [] : familyOf(lineage.root)
  const firstOwnOf = useFirstOwn(lineage, open)
  const leave = (go: () => void) => {
    onOpenChange(false)
    go()
  }
  const toNode = ({ session, children }: LineageNode): BranchNode => ({
    id: session.id,
    ...wordsOf(session),
    href: actions.hrefFor(session.id),
    updatedAt: session.updatedAt,
    status: statusOf(statuses, session.id),
    side: session.metadata.ephemeral === true,
    children: children.map(toNode),
  })
  // A question on the side has no name but itself.
  function wordsOf(session: Session): Pick<BranchNode, 'name' | 'says'> {
    const first = firstOwnOf(session)
    const says = first && lineOf(first)
    if (session.metadata.ephemeral === true && says !== null) return { name: says, says: null }
    const name = versionName(session, family, versions)
    return { name, says: first && firstWords(first.parts) === name ? null : says }
  }
  return (
    <BranchTree
      open={open}
      onOpenChange={onOpenChange}
      root={lineage && toNode(lineage.root)}
      currentId={lineage?.current ?? ''}
      onSelect={(id) => leave(() => actions.onSelect(id))}
      onCompare={(right) =>
        leave(() =>
          router.push({ sessionId: null, anchor: null, compare: { left: lineage?.current ?? '', right } }),
        )
      }
      onDelete={(id) => leave(() => actions.onDelete(id))}
    />
  )
}

/** Branches whose words the tree reads. */
const READ = 24

/** The first message of the reader's own that a branch goes on with, as far as it was read. */
function useFirstOwn(lineage: Lineage | null, open: boolean): (session: Session) => ChatMessage | null {
  const { client } = useApp()
  const branches = useMemo(() => (lineage === null ? [] : branchesOf(lineage.root).slice(0, READ)), [lineage])
  const pages = useQueries({
    queries: branches.map((session) => versionQuery(client, session, open)),
  })
  return (session) => {
    const items = pages[branches.indexOf(session)]?.data?.items ?? []
    return items.find((message) => message.role === 'user' && !isCopied(message, session)) ?? null
  }
}

function branchesOf({ session, children }: LineageNode): Session[] {
  return [...(session.parentId === null ? [] : [session]), ...children.flatMap(branchesOf)]
}

function statusOf(statuses: Readonly<Record<string, SessionStatus>>, id: string): SessionStatus {
  return statuses[id] ?? IDLE
}
