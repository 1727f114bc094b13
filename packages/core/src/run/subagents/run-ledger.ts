import type { Budgets } from '../../budget/budgets.ts'
import type { Ledger } from '../../budget/ledger.ts'
import { addSpending, NOTHING_SPENT, type Spending } from '../../domain/budget.ts'
import { AppError } from '../../domain/errors.ts'
import type { StoredMessage } from '../../domain/message.ts'
import type { Session } from '../../domain/session.ts'
import type { Store } from '../../ports/index.ts'
import type { Coordinator } from '../../state/coordinator.ts'
import type { Agent } from '../agent.ts'

type Turn = { start: { runId: string; drawsFrom?: Ledger }; reply: StoredMessage | null }

type Ports = {
  store: Store
  budgets: Budgets
  coordinator: Coordinator
  agentOf(id: string | undefined, session: Pick<Session, 'workspaceRoot'>): Promise<Agent>
}

/**
 * The ledger of a run that begins or resumes: what its subagents have spent while it waited for them is spent by it. That of a
 * subagent draws from the run that waits for it.
 */
export async function openRunLedger(
  { start, reply }: Turn,
  session: Session,
  agent: Agent,
  ports: Ports,
): Promise<Ledger> {
  const { budgets, store } = ports
  const parent = start.drawsFrom ?? (await ledgerAbove(session, ports))
  if (reply === null) return await budgets.open({ session, agent, parent })
  const waited = budgets.ledgerOf(session.id)
  const { durationMs } = reply.metadata.spent ?? NOTHING_SPENT
  const before =
    waited === undefined ? await spentBefore(reply, start.runId, store) : { ...waited.spent, durationMs }
  // The time that it has waited is no time of work.
  if (waited !== undefined)
    await store.budgets.add(waited.unsaved().map((one) => ({ ...one, durationMs: 0 })))
  return await budgets.open({ session, agent, before, parent })
}

/** What a run had spent when it began to wait, and since then the subagents that it waits for: after a restart only rows say so. */
async function spentBefore(reply: StoredMessage, runId: string, store: Store): Promise<Spending> {
  const tasks = (await store.asks.ofRun(runId)).flatMap(({ request, step }) =>
    request.kind === 'task' ? [{ step, sessionId: request.task.sessionId }] : [],
  )
  const last = Math.max(...tasks.map(({ step }) => step))
  const below = await Promise.all(
    tasks.filter(({ step }) => step === last).map(({ sessionId }) => spentBy(sessionId, store)),
  )
  return below.reduce(
    (sum, spent) => addSpending(sum, { ...spent, durationMs: 0 }),
    reply.metadata.spent ?? NOTHING_SPENT,
  )
}

/** A subagent whose host died before its session was created has spent nothing. */
async function spentBy(sessionId: string, store: Store): Promise<Spending> {
  try {
    return (await store.budgets.get(sessionId)).spent
  } catch (error) {
    if (error instanceof AppError && error.code === 'SESSION_NOT_FOUND') return NOTHING_SPENT
    throw error
  }
}

/** The ledger of the run that has started a subagent; after a restart it is opened again. */
async function ledgerAbove(session: Session, ports: Ports): Promise<Ledger | undefined> {
  const { store, budgets, coordinator, agentOf } = ports
  const { parentId, metadata } = session
  if (metadata.subagent === undefined || parentId === null) return undefined
  const open = budgets.ledgerOf(parentId)
  const waiting = open === undefined ? coordinator.waiting(parentId) : null
  if (waiting === null) return open
  const [parent, reply] = await Promise.all([
    store.sessions.get(parentId),
    store.messages.get(parentId, waiting.messageId),
  ])
  if (parent === null || reply === null) return undefined
  return await budgets.open({
    session: parent,
    agent: await agentOf(parent.agent, parent),
    before: await spentBefore(reply, waiting.runId, store),
    parent: await ledgerAbove(parent, ports),
  })
}
