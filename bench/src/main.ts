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
  },
})

console.log(describeMachine())
const rows = await runBenchmarks(values.quick ? QUICK : FULL, values.only ?? [])
console.log(`\n${table(rows)}`)
