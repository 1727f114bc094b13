import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const source = /\.(ts|tsx|mts|mjs|js)$/
const test = /\.(test|spec)\.tsx?$/

/**
 * Paths, relative to `root`, of the source files that git tracks or would add: tracked and new ones, never ignored
 * ones (so nothing generated), never type declarations.
 */
export function sourceFiles(root: string): string[] {
  return listedByGit(root).filter((path) => source.test(path) && !path.endsWith('.d.ts'))
}

/** Whether a path is that of a test: `x.test.ts` beside its source, or `x.spec.ts` end to end. */
export const isTestFile = (path: string): boolean => test.test(path)

/** Folders whose files only tests use, wherever they are: doubles, harnesses, and tests that kill servers. */
export const testFolders = ['testing', 'reliability']

/** Paths, relative to `root`, of every existing file that git tracks or would add. */
export function listedByGit(root: string): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return output.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}
