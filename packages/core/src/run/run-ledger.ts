import type { Budgets, RunBudget } from '../budget/budgets.ts'
import type { Ledger } from '../budget/ledger.ts'
import { AppError } from '../domain/errors.ts'
import type { StoredMessage } from '../domain/message/message.ts'
import { addSpending, NOTHING_SPENT, type Spending } from '../domain/model/budget.ts'
import type { Session } from '../domain/session/session.ts'
import type { Store } from '../ports/index.ts'
import type { Agent } from './agent.ts'

type Turn = { start: { runId: string }; reply: StoredMessage | null }

type Ports = {
  store: Store
  budgets: Budgets
  agentOf(id: string | undefined, session: Pick<Session, 'workspaceRoot'>): Promise<Agent>
}

/**
 * The ledger of a run that begins or resumes, with its time counting. A run that resumes has the ledger with which it began to
 * wait; after a restart rows say what it had spent. That of a subagent draws from the run that started it.
 */
export async function openRunLedger(
  { start, reply }: Turn,
  session: Session,
  agent: Agent,
  ports: Ports,
): Promise<Ledger> {
  const { runId } = start
  const ledger = await ports.budgets.open(session.id, runId, runId, async () => {
    const before = reply === null ? undefined : await spentBefore(reply, ports.store)
    const parent = await ledgerAbove(session, runId, ports)
    return { session, runId, agent, before, parent }
  })
  ledger.startTime()
  return ledger
}

/** The ledger of the run of a subagent, before it begins: it draws from the run that starts it, which is open. */
export async function openChildLedger(
  child: Pick<RunBudget, 'session' | 'runId' | 'agent'>,
  { sessionId, runId, ledger }: { sessionId: string; runId: string; ledger: Ledger },
  budgets: Budgets,
): Promise<void> {
  await budgets.open(child.session.id, child.runId, child.runId, async () => {
    const use = () => Promise.reject(new AppError('CONFLICT', 'The run that starts this one has ended.'))
    await budgets.open(sessionId, runId, child.runId, use)
    return { ...child, parent: ledger }
  })
}

/** What a run had spent when it last began to wait, and what the subagents have spent that it has started. */
async function spentBefore(
  { id, sessionId, metadata }: StoredMessage,
  store: Store,
): Promise<RunBudget['before']> {
  const started = await store.subagents.startedBy(sessionId, id)
  const below = await Promise.all(started.map((child) => spentBy(child, store)))
  return {
    own: metadata.spent ?? NOTHING_SPENT,
    below: below.reduce((sum, spent) => addSpending(sum, spent), NOTHING_SPENT),
  }
}

/** What is in the bin has spent nothing that can be read. */
async function spentBy(sessionId: string, store: Store): Promise<Spending> {
  try {
    return (await store.budgets.get(sessionId)).spent
  } catch (error) {
    if (error instanceof AppError && error.code === 'SESSION_NOT_FOUND') return NOTHING_SPENT
    throw error
  }
}

/** The ledger of the run that has started a subagent, in use for the run `user` of that one. */
async function ledgerAbove(session: Session, user: string, ports: Ports): Promise<Ledger | undefined> {
  const { store, budgets, agentOf } = ports
  const { parentId, parentMessageId, metadata } = session
  if (metadata.subagent === undefined || parentId === null || parentMessageId === null) return undefined
  const [parent, reply] = await Promise.all([
    store.sessions.get(parentId),
    store.messages.get(parentId, parentMessageId),
  ])
  if (parent === null || reply === null) return undefined
  const runId = reply.metadata.runId ?? reply.id
  return await budgets.open(parentId, runId, user, async () => ({
    session: parent,
    runId,
    agent: await agentOf(reply.metadata.agent ?? parent.agent, parent),
    before: await spentBefore(reply, store),
    parent: await ledgerAbove(parent, runId, ports),
  }))
}
