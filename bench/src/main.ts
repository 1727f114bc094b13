import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runBenchmarks } from './benchmarks.ts'
import { describeMachine } from './machine.ts'
import { FULL, PAGE, QUICK } from './profile.ts'
import { replaceFigures, table } from './table.ts'

const DOCUMENT = fileURLToPath(new URL('../../docs/performance.md', import.meta.url))

const { values } = parseArgs({
  options: {
    /** A few seconds: shows that everything works, not how fast it is. */
    quick: { type: 'boolean', default: false },
    /** The sizes that the rules name, in a quarter of an hour; writes the table into `docs/performance.md`. */
    page: { type: 'boolean', default: false },
    /** Only the benchmarks of this rule, such as `PF-2`. */
    only: { type: 'string', multiple: true },
    /** The root of another checkout, installed and built: its server is measured in the same run. */
    former: { type: 'string' },
  },
})

console.log(describeMachine())
const started = performance.now()
const rows = await runBenchmarks(values.quick ? QUICK : values.page ? PAGE : FULL, values)
console.log(`\n${table(rows)}`)

if (values.page && !values.quick && values.only === undefined) {
  const minutes = Math.round((performance.now() - started) / 60_000)
  const day = new Date().toISOString().slice(0, 10)
  const compared = values.former === undefined ? '' : `, former: \`${commitOf(values.former)}\``
  const caption = `${describeMachine()}. ${day}, \`${commitOf('.')}\`${compared}, ${minutes} minutes.`
  const page = await readFile(DOCUMENT, 'utf8')
  await writeFile(DOCUMENT, replaceFigures(page, `${caption}\n\n${table(rows)}`))
  console.log(`\nWritten to ${DOCUMENT}`)
}

function commitOf(root: string): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return stdout.trim()
}
