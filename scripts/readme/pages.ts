import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The text of a page, by its path in the repository. */
export const page = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Paths of the README and of every page under `docs`. */
export const pagePaths = (): string[] => [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
