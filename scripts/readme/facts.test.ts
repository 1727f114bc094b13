import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { recogniseRequest } from '../../apps/server/src/adapters/demo/demo-request.ts'
import { systemClock } from '../../packages/core/src/live/system-clock.ts'
import { openStore } from '../../packages/db/src/index.ts'
import { listedByGit } from '../lib/source-files.ts'
import { temporaryRepository } from '../lib/temporary-repository.ts'
import { codeIn, tableRows } from './markdown.ts'
import { page, root } from './pages.ts'

const files = listedByGit(root)

/** The text of the one file whose path ends so. */
function sourceOf(end: string): string {
  const [found, ...more] = files.filter((path) => path === end || path.endsWith(`/${end}`))
  if (found === undefined || more.length > 0) throw new Error(`${end} is no one file`)
  return page(found)
}

test('QA-5 the glossary has each term once, in lower case', () => {
  const terms = tableRows(page('CONTRIBUTING.md'), ['term', 'meaning']).map(([term]) => term ?? '')
  expect(terms.length).toBeGreaterThan(40)
  expect(new Set(terms.map((term) => term.toLowerCase())).size).toBe(terms.length)
  for (const [term, meaning] of tableRows(page('CONTRIBUTING.md'), ['term', 'meaning']))
    expect([term, meaning]).toEqual([term?.toLowerCase(), expect.stringMatching(/\S/)])
})

test.each(['apps/server', 'bench', 'e2e', 'packages/client', 'packages/core', 'packages/db', 'scripts'])(
  'QA-5 the rules of %s personify nothing',
  (folder) => {
    const words = /\b(told|tells|stands?|whoever|knows|minds?|walks?|word of|the ear|room)\b/gi
    expect(page(`${folder}/SPEC.md`).match(words)).toBeNull()
  },
)

test('QA-4 the page on data names every table that a new store has', async () => {
  using folder = temporaryRepository({})
  const path = join(folder.root, 'new.db')
  const store = await openStore({ url: `file:${path}`, clock: systemClock })
  await store[Symbol.asyncDispose]()
  using file = new DatabaseSync(path, { readOnly: true })
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  const own = tables.map(({ name }) => String(name)).filter((name) => !/^(sqlite_|search_index_)/.test(name))
  const named = codeIn(page('docs/data.md'))
  expect(own.length).toBeGreaterThan(8)
  expect(own.filter((name) => !named.includes(name))).toEqual([])
})

test('QA-4 each part of the loop is in the file that its page names', () => {
  const rows = tableRows(page('docs/loop.md'), ['part', 'where', 'what it is'])
  expect(rows.length).toBeGreaterThan(6)
  for (const [part = '', where = ''] of rows) {
    const [name = ''] = codeIn(part)
    expect(sourceOf(codeIn(where)[0] ?? '')).toMatch(
      new RegExp(`export (async function|function|type|class) ${name}\\b`),
    )
  }
})

test('QA-4 a sent message reaches its row through at most 12 files, and each has the function that its page names', () => {
  const rows = tableRows(page('docs/loop.md'), ['file', 'function', 'what it does with the session'])
  expect(rows.length).toBeGreaterThan(6)
  expect(rows.length).toBeLessThanOrEqual(12)
  const named = rows.map(([file = '', name = '']) => ({ file: codeIn(file)[0] ?? '', name: codeIn(name)[0] }))
  for (const { file, name } of named)
    expect(page(file)).toMatch(new RegExp(`\\b(function ${name}\\b|${name}: procedure|async ${name}\\()`))
})

test('QA-4 the names on the page on live streams exist', () => {
  // Fields such as `runId` are not functions.
  const named = codeIn(page('docs/live-streams.md')).filter(
    (code) => /^[a-z]+[A-Z]\w+$/.test(code) && !code.endsWith('Id'),
  )
  const exported = files
    .filter((path) => /^packages\/(client|core\/src\/domain)\/.*\.ts$/.test(path) && !path.includes('.test.'))
    .map((path) => page(path))
    .join('\n')
  expect(named.length).toBeGreaterThan(3)
  for (const name of named) expect(exported).toMatch(new RegExp(`export (async )?function\\*? ${name}\\b`))
})

test('QA-4 the demo model recognises every word that the page on models lists', () => {
  const sentence =
    /## The demo model\n(.*?)\n## /s.exec(page('docs/models.md'))?.[1]?.split('kind of reply:')[1] ?? ''
  const words = codeIn(sentence.split('.')[0] ?? '')
  expect(words.length).toBeGreaterThan(8)
  for (const word of words) expect([word, recogniseRequest(word)]).toEqual([word, word.replace(' ', '-')])
})
