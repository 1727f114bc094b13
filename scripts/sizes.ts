import { readFileSync } from 'node:fs'
import { sourceFiles } from './lib/source-files.ts'
import { checkSizes } from './sizes/budgets.ts'

const files = sourceFiles(process.cwd()).map((path) => ({
  path,
  lines: readFileSync(path, 'utf8').trimEnd().split('\n').length,
}))
const { problems, median, ratio } = checkSizes(files)
for (const problem of problems) console.error(problem)
console.log(
  `${files.length} files, median ${median} lines, ${ratio.toFixed(2)} lines of tests for each of source`,
)
process.exitCode = problems.length > 0 ? 1 : 0
