import { mkdirSync, writeFileSync } from 'node:fs'
import { failureLines, sum, summaryLine } from './test/counts.ts'
import { runStages } from './test/run-stages.ts'
import { testStages } from './test/stages.ts'

const verbose = process.argv.includes('--verbose')
mkdirSync('test-results', { recursive: true })

const total = sum(await runStages(testStages(verbose), (text) => process.stdout.write(text), { verbose }))
const summary = summaryLine(total)
writeFileSync('test-results/summary.txt', `${summary}\n`)
// Repeated at the end, where whoever sees only that finds them.
for (const failure of total.failures) console.log(failureLines(failure))
for (const title of total.skipped) console.log(`skipped: ${title}`)
console.log(summary)
process.exitCode = total.failed > 0 ? 1 : 0
