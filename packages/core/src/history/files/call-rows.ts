import type { Session } from '../../domain/session/session.ts'
import type { NewFileChange } from '../../domain/workspace/file-journal.ts'
import type { Clock, Store } from '../../ports/index.ts'

/** Whose call it is. */
export type CallOwner = { session: Session; runId: string; messageId: string }

type Ports = { store: Store; clock: Clock }

/** The sessions that a call's changes belong to: its own, then those above it. */
async function ownersOf(
  { session, runId, messageId }: CallOwner,
  toolCallId: string | null,
  { store }: Ports,
) {
  const owners = [{ sessionId: session.id, runId: runId as string | null, messageId, toolCallId }]
  for (let at: Session | null = session; at?.metadata.subagent !== undefined; ) {
    const { parentId, parentMessageId } = at
    if (parentId === null || parentMessageId === null) break
    const above = await store.messages.get(parentId, parentMessageId)
    owners.push({
      sessionId: parentId,
      runId: above?.metadata.runId ?? null,
      messageId: parentMessageId,
      toolCallId: null,
    })
    at = await store.sessions.get(parentId)
    if (at === null) owners.pop()
  }
  return owners
}

/** The rows of a change that a call has made: one of its session, and one of each session above it. */
export async function callRows(
  owner: CallOwner,
  toolCallId: string | null,
  change: Pick<NewFileChange, 'root' | 'path' | 'before' | 'after' | 'status' | 'reason'>,
  ports: Ports,
): Promise<NewFileChange[]> {
  return (await ownersOf(owner, toolCallId, ports)).map((one) => ({
    ...one,
    ...change,
    author: 'call',
    madeIn: owner.session.id,
    operationId: null,
    createdAt: ports.clock.now(),
  }))
}
