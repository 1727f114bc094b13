import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseOptions } from 'dependency-cruiser'
import { sourceFiles } from '../lib/source-files.ts'
import { folderCycles } from './folder-cycles.ts'
import { oneWay } from './layers.ts'
import { rules, tests } from './rules.ts'
import { unreadFiles } from './unread.ts'

export interface BoundaryReport {
  /** One line for each forbidden import, cycle of files or folders, or orphan. */
  readonly violations: readonly string[]
  /** Source files that the reader did not read, or read without imports although they have some. */
  readonly unread: readonly string[]
  /** How many of the repository's source files were read. */
  readonly modules: number
}

const options: ICruiseOptions = {
  validate: true,
  ruleSet: { forbidden: rules },
  tsPreCompilationDeps: true,
  combinedDependencies: false,
  doNotFollow: { path: 'node_modules' },
  exclude: { path: '(^|/)generated/' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['types', 'import', 'node', 'default'],
    extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
  },
}

/**
 * Reads every source file under `root` and checks its imports against the rules. The reader silently drops files
 * when its TypeScript does not load, so its list is compared with git's.
 */
export async function checkBoundaries(root: string): Promise<BoundaryReport> {
  const files = sourceFiles(root)
  const { output } = await cruise(files, { ...options, baseDir: root })
  if (typeof output === 'string') throw new Error(`the reader answered with text: ${output.slice(0, 200)}`)
  const forbidden = output.summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from}${to === from ? '' : ` → ${to}`}`,
  )
  const sources = output.modules.filter(({ source }) => !new RegExp(tests).test(source))
  return {
    violations: [...forbidden, ...folderCycles(sources, oneWay)],
    unread: unreadFiles(files, output.modules, (file) => readFileSync(join(root, file), 'utf8')),
    modules: files.filter((file) => output.modules.some(({ source }) => source === file)).length,
  }
}
