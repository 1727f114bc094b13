import { describeReached } from '../domain/model/budget.ts'
import type { Store } from '../ports/index.ts'
import type { Decision } from './decide-calls.ts'
import type { RunState } from './run-state.ts'

type Decided<Call> = { call: Call; decision: Decision }

/** Counts a call that is about to be made; once the budget is spent none is made, and nobody is asked about one. */
export function withinBudget<Call>({ ledger }: RunState, { call, decision }: Decided<Call>): Decided<Call> {
  const { type } = decision
  if (type !== 'execute' && type !== 'start' && type !== 'ask') return { call, decision }
  const spent = type === 'ask' ? ledger.reached() : ledger.takeCall()
  if (spent === null) return { call, decision }
  const message = `${describeReached(spent)} This call was not made.`
  return { call, decision: { type: 'fail', message } }
}

/** Stores how many calls are made before they are, where their number is limited: a host that crashes does not give them back. */
export async function saveCalls({ ledger }: RunState, { store }: { store: Store }): Promise<void> {
  if (ledger.accounts.every(({ budget }) => (budget.max_tool_calls ?? null) === null)) return
  await ledger.save(async (spent) => {
    if (spent.length > 0) await store.budgets.add(spent)
  })
}
