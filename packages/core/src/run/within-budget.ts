import { describeReached } from '../domain/budget.ts'
import type { Decision } from './decide-calls.ts'
import type { RunState } from './run-state.ts'

/** Counts a call that is about to be made; once the budget is spent none is made, and nobody is asked about one. */
export function withinBudget({ ledger }: Pick<RunState, 'ledger'>, decision: Decision): Decision {
  const { type } = decision
  if (type !== 'execute' && type !== 'start' && type !== 'ask') return decision
  const spent = type === 'ask' ? ledger.reached() : ledger.takeCall()
  return spent === null
    ? decision
    : { type: 'fail', message: `${describeReached(spent)} This call was not made.` }
}
