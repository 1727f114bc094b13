import { setTimeout as delay } from 'node:timers/promises'
import { ATTACKS } from '../attacks/attacks.ts'
import { ms, type Row } from '../table.ts'
import type { AttackTarget } from '../targets/attack-target.ts'

/** Milliseconds for which the loop may be blocked. */
const GOAL = 50

/** SX-10: how long the server's event loop is blocked at most by each attack, and how the run ended. */
export async function measureAttacks(target: AttackTarget, restMs: number): Promise<Row[]> {
  const rows: Row[] = []
  // The first run loads and compiles.
  await target.attack(0)
  for (const [index, { name }] of ATTACKS.entries()) {
    rows.push(await measure(target, name, restMs, () => target.attack(index)))
  }
  rows.push(
    await measure(target, '16 MB of nested arrays in a request', restMs, () => target.nestedRequest()),
  )
  return rows
}

async function measure(
  target: AttackTarget,
  name: string,
  restMs: number,
  run: () => Promise<string>,
): Promise<Row> {
  await target.longestBlockMs()
  const ending = await run()
  await delay(restMs)
  const longestMs = await target.longestBlockMs()
  return {
    rule: 'SX-10',
    what: `longest blocked loop, ${name}`,
    bare: '',
    ours: ms(longestMs),
    result: ending,
    goal: `≤ ${GOAL} ms`,
    holds: longestMs <= GOAL,
  }
}
