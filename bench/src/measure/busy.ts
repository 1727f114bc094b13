import { setTimeout as delay } from 'node:timers/promises'
import { ms, type Row } from '../table.ts'
import { BUSY_ACTS, type BusyAct, type BusySize, type BusyTarget } from '../targets/busy-target.ts'

/** Milliseconds for which the loop may be blocked. */
const GOAL = 50

/** SX-10: how long the server's event loop is blocked at most by work on a long session and on a large new workspace. */
export async function measureBusy(target: BusyTarget, size: BusySize, restMs: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const act of BUSY_ACTS) {
    await target.longestBlockMs()
    await target.act(act)
    await delay(restMs)
    const longestMs = await target.longestBlockMs()
    rows.push({
      rule: 'SX-10',
      what: `longest blocked loop, ${act} of ${sizeOf(act, size)}`,
      bare: '',
      ours: ms(longestMs),
      result: '',
      goal: `≤ ${GOAL} ms`,
      holds: longestMs <= GOAL,
    })
  }
  return rows
}

function sizeOf(act: BusyAct, { messages, files }: BusySize): string {
  return act === 'first snapshot' ? `${files} files` : `${messages} messages`
}
