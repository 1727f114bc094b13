import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDERS = ['.', '../store'].map((folder) => join(import.meta.dirname, folder))

/** What SQLite alone reads; the dialect and the files of the engine's folder supply it. */
const ENGINE = /\b(rowid|json_\w+\(|strftime|unixepoch|fts5|MATCH|INSERT OR|PRAGMA|CROSS JOIN)/
/** An alias without quotes, which PostgreSQL would fold to lower case. */
const FOLDED = /\bAS [a-z]+[A-Z]\w*/

test('DA-7 SQL that is written once has nothing that one engine alone reads', async () => {
  const found: string[] = []
  for (const folder of FOLDERS) {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
      const imports = /^(import|\} from|export \{)/
      found.push(
        ...lines
          .filter((line) => !imports.test(line) && (ENGINE.test(line) || FOLDED.test(line)))
          .map((line) => `${name}: ${line.trim()}`),
      )
    }
  }
  expect(found).toEqual([])
})
