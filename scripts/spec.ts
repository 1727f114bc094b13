import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isTestFile, listedByGit, sourceFiles } from './lib/source-files.ts'
import { checkSpec } from './spec/coverage.ts'
import { parseRules } from './spec/rules.ts'
import { testTitles } from './spec/test-titles.ts'

const root = process.cwd()
const read = (path: string) => readFileSync(path, 'utf8')

const specs = listedByGit(root)
  .filter((path) => path.endsWith('/SPEC.md'))
  .map((path) => ({ folder: dirname(path), rules: parseRules(read(path)) }))
const tests = sourceFiles(root)
  .filter(
    (path) => isTestFile(path) || path.includes('/src/testing/') || path.startsWith('packages/testing/'),
  )
  .map((path) => ({ path, titles: testTitles(path, read(path)) }))

const { problems, table } = checkSpec(specs, tests)
console.table(table)
for (const problem of problems) console.error(problem)
console.log(`${table.reduce((sum, { rules }) => sum + rules, 0)} rules, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
