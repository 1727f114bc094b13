import { isTestFile } from '../lib/source-files.ts'
import type { Rule } from './rules.ts'
import { leadingIds } from './rules.ts'
import type { TestTitle } from './test-titles.ts'

export interface SpecFile {
  /** Folder of the SPEC.md, relative to the repository; its rules apply to the files below. */
  readonly folder: string
  readonly rules: readonly Rule[]
}

export interface TestFile {
  readonly path: string
  readonly titles: readonly TestTitle[]
}

/** One line of the printed table: how many of a folder's rules have a test, and how many tests cite them. */
interface Coverage {
  readonly folder: string
  readonly rules: number
  readonly tested: number
  readonly tests: number
}

export interface SpecReport {
  readonly problems: readonly string[]
  readonly table: readonly Coverage[]
}

/**
 * Checks tests and SPEC.md files against one another. A test cites rules of the SPEC.md nearest above it. Suites for
 * several folders (of the whole product, and port contracts under `testing/`) may cite any rule, and count for each.
 */
export function checkSpec(specs: readonly SpecFile[], files: readonly TestFile[]): SpecReport {
  const tests = files.flatMap(({ path, titles }) =>
    titles.map((found): PlacedTest => ({ ...found, path, home: homeOf(path, specs) })),
  )
  const everyRule = specs.flatMap(({ rules }) => rules)
  return {
    problems: [
      ...tests.flatMap((found) =>
        titleProblems(found, found.home?.rules ?? everyRule).map(
          (problem) => `${found.path}:${found.line}: ${problem}`,
        ),
      ),
      ...specs.flatMap((spec) =>
        ruleProblems(spec, tests).map((problem) => `${spec.folder}/SPEC.md:${problem}`),
      ),
    ],
    table: specs.map((spec) => coverageOf(spec, tests)),
  }
}

/** Folders whose tests use the product from outside, whichever package has the rule. */
const wholeProduct = ['e2e/', 'scripts/readme/', 'packages/testing/']

interface PlacedTest extends TestTitle {
  readonly path: string
  /** The SPEC.md that the test proves; undefined for suites of several folders. */
  readonly home: SpecFile | undefined
}

function homeOf(path: string, specs: readonly SpecFile[]): SpecFile | undefined {
  if (wholeProduct.some((folder) => path.startsWith(folder)) || isContract(path)) return undefined
  return specs
    .filter(({ folder }) => path.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0]
}

/** A suite that other folders run: `src/testing/store-contract.ts`, but not a test beside it. */
const isContract = (path: string) => path.includes('/src/testing/') && !isTestFile(path)

function titleProblems({ kind, title }: TestTitle, known: readonly Rule[]): string[] {
  if (title === undefined) return kind === 'test' ? ['a title that cannot be read from the source'] : []
  if (/\bshould\b/i.test(title)) return [`says "should" where it could state a fact: ${title}`]
  if (kind === 'describe') return []
  const ids = leadingIds(title)
  if (ids.length === 0) return [`starts with no rule id: ${title}`]
  return ids
    .filter((id) => !known.some((rule) => rule.id === id))
    .map((id) => `cites ${id}, which its SPEC.md does not have`)
}

function ruleProblems(spec: SpecFile, tests: readonly PlacedTest[]): string[] {
  return spec.rules.flatMap(({ id, line }, index) => {
    if (spec.rules.findIndex((other) => other.id === id) < index) return [`${line}: ${id} is written twice`]
    return proofs(spec, id, tests).length === 0 ? [`${line}: ${id} has no test`] : []
  })
}

function coverageOf(spec: SpecFile, tests: readonly PlacedTest[]): Coverage {
  const proved = spec.rules.map(({ id }) => proofs(spec, id, tests))
  return {
    folder: spec.folder,
    rules: spec.rules.length,
    tested: proved.filter((found) => found.length > 0).length,
    tests: new Set(proved.flat()).size,
  }
}

const proofs = (spec: SpecFile, id: string, tests: readonly PlacedTest[]) =>
  tests.filter(
    ({ kind, title, home }) =>
      kind === 'test' && (home === undefined || home === spec) && leadingIds(title ?? '').includes(id),
  )
