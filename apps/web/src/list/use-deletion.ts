import { IDLE, isRunning } from '@palimpsest/core/domain'
import { useMemo, useRef, useState } from 'react'
import { familyOf, type LineageNode } from '../session/forks.ts'
import type { App } from '../stores/app.ts'
import { useApp } from '../stores/app-context.tsx'
import { words } from '../words/en.ts'

type Named = { id: string; title: string }

/** What a person was asked about. */
export type PendingDeletion =
  | (Named & { to: 'bin'; branches: number; running: boolean })
  | (Named & { to: 'nowhere' })

export type Deletion = {
  pending: PendingDeletion | null
  cancel(): void
  confirm(withBranches: boolean): Promise<void>
  /** Each asks first, but for a restore. */
  actions: { onDelete(id: string): void; onRestore(id: string): void; onPurge(id: string): void }
}

/** Moves chats to the bin and out of it. */
export function useDeletion(titleOf: (id: string) => string): Deletion {
  const app = useApp()
  const [pending, setPending] = useState<PendingDeletion | null>(null)
  /** How often it was asked for: an earlier question does not take the place of a later one. */
  const asked = useRef(0)
  const actions = useMemo(
    () => ({
      async onDelete(id: string) {
        asked.current += 1
        const own = asked.current
        const branches = await branchesOf(app, id)
        if (asked.current !== own) return
        const running = isRunning(app.chats.get().statuses[id] ?? IDLE)
        setPending({ to: 'bin', id, title: titleOf(id), branches, running })
      },
      onRestore: (id: string) => void restore(app, id),
      onPurge(id: string) {
        asked.current += 1
        setPending({ to: 'nowhere', id, title: titleOf(id) })
      },
    }),
    [app, titleOf],
  )

  async function confirm(withBranches: boolean): Promise<void> {
    if (pending?.to === 'bin') await moveToBin(app, pending, withBranches)
    if (pending?.to === 'nowhere') await purge(app, pending)
  }

  return { pending, cancel: () => setPending(null), confirm, actions }
}

/** The question is asked without the number when it can't be read. */
async function branchesOf({ client }: App, sessionId: string): Promise<number> {
  try {
    return countBranches((await client().session.tree.query({ sessionId })).root, sessionId)
  } catch {
    return 0
  }
}

/** How many branches descend from a session of the tree; side questions are not counted. */
function countBranches(root: LineageNode, sessionId: string): number {
  const line = new Set([sessionId])
  // Parents come before their children.
  const descendants = familyOf(root).filter(({ id, parentId }) => {
    const descends = parentId !== null && line.has(parentId)
    if (descends) line.add(id)
    return descends
  })
  return descendants.filter(({ metadata }) => metadata.ephemeral !== true).length
}

async function moveToBin(app: App, { id, title }: Named, withBranches: boolean): Promise<void> {
  const { client, router, toasts } = app
  if (!(await toasts.guard(client().session.delete.mutate({ sessionId: id, withBranches })))) return
  const wasOpen = router.get().sessionId === id
  if (wasOpen) router.replace({ sessionId: null, anchor: null })
  const undo = async () => {
    const isBack = await restore(app, id)
    if (isBack && wasOpen && router.get().sessionId === null) router.replace({ sessionId: id, anchor: null })
  }
  toasts.add({ message: words.inBin(title), action: { label: words.undo, onAction: () => void undo() } })
}

function restore({ client, toasts }: App, sessionId: string): Promise<boolean> {
  return toasts.guard(client().session.restore.mutate({ sessionId }))
}

async function purge({ client, drafts, toasts }: App, { id }: Named): Promise<void> {
  if (await toasts.guard(client().session.purge.mutate({ sessionId: id }))) drafts.forget(id)
}
