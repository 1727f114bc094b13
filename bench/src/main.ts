import { parseArgs } from 'node:util'
import { runBenchmarks } from './benchmarks.ts'
import { describeMachine } from './machine.ts'
import { FULL, QUICK } from './profile.ts'
import { table } from './table.ts'

const { values } = parseArgs({
  options: {
    /** A few seconds: shows that everything works, not how fast it is. */
    quick: { type: 'boolean', default: false },
    /** Only the benchmarks of this rule, such as `PF-2`. */
    only: { type: 'string', multiple: true },
    /** The root of another checkout, installed: its server is measured too, where a third party's client is. */
    former: { type: 'string' },
  },
})

console.log(describeMachine())
const rows = await runBenchmarks(values.quick ? QUICK : FULL, values)
console.log(`\n${table(rows)}`)
