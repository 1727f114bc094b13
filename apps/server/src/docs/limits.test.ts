import { AppError, ERROR_CODES, IMPORT_LIMITS, LIMITS } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { codeBlocks, codeIn, tableRows } from '../../../../scripts/readme/markdown.ts'
import { page } from '../../../../scripts/readme/pages.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { toRefusal } from '../refusal.ts'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/index.ts'

const limitsPage = page('docs/limits.md')
const rows = tableRows(limitsPage, ['limit', 'value', 'counts', 'beyond it'])
const documented = new Map<string, { value: string; beyond: string }>(
  rows.map(([limit = '', value = '', , beyond = '']) => [codeIn(limit)[0] ?? '', { value, beyond }]),
)

test('AP-4 the page of limits has every limit of the code with its value, and no other', () => {
  const limits = Object.entries({ ...LIMITS, ...SERVER_LIMITS })
  expect(Object.fromEntries([...documented].map(([limit, { value }]) => [limit, number(value)]))).toEqual(
    Object.fromEntries(limits),
  )
})

test('AP-4 the page of limits has every limit of an import with its value, and no other', () => {
  const imports = tableRows(limitsPage, ['import limit', 'value', 'counts'])
  const named = imports.map(([limit = '', value = '']) => [codeIn(limit)[0], number(value)])
  expect(Object.fromEntries(named)).toEqual(IMPORT_LIMITS)
})

test('AP-4 each error of the page has the status that the page gives', () => {
  const named = [...documented.values()]
    .map(({ beyond }) => /`(\w+)` (\d+)/.exec(beyond))
    .filter((found) => found !== null)
  expect(named.length).toBeGreaterThan(10)
  for (const [, code, status] of named) {
    const known = ERROR_CODES.find((one) => one === code) ?? 'INTERNAL'
    expect([code, toRefusal(new AppError(known, '')).status]).toEqual([known, Number(status)])
  }
})

const times = <T>(count: number, one: T) => Array.from({ length: count }, () => one)
const letters = (count: number) => 'x'.repeat(count)
const text = (count: number) => ({ type: 'text', text: letters(count) })
const file = (base64: string) => ({
  type: 'file',
  mediaType: 'image/png',
  url: `data:image/png;base64,${base64}`,
})
const send = (parts: object[]) => ({ sessionId: 's', message: { parts } })

test.for([
  ['messageCharacters', 'message.parts.0.text', 'session.send', send([text(LIMITS.messageCharacters + 1)])],
  ['partsPerMessage', 'message.parts', 'session.send', send(times(LIMITS.partsPerMessage + 1, text(1)))],
  ['filesPerMessage', 'message.parts', 'session.send', send(times(LIMITS.filesPerMessage + 1, file('AAAA')))],
  ['fileCharacters', 'message.parts.0.url', 'session.send', send([file('A'.repeat(LIMITS.fileCharacters))])],
  ['titleCharacters', 'title', 'session.create', { title: letters(LIMITS.titleCharacters + 1) }],
  [
    'metadataCharacters',
    'metadata',
    'session.create',
    { metadata: { a: letters(LIMITS.metadataCharacters) } },
  ],
  ['searchCharacters', 'text', 'search.messages', { text: letters(LIMITS.searchCharacters + 1) }],
  ['pageSize', 'limit', 'session.list', { limit: LIMITS.pageSize + 1 }],
] as const)(
  'AP-4 more than %s is refused with the error of the page, by its field',
  async ([limit, field, path, input]) => {
    await using server = await startTestServer()
    const type = path === 'session.send' || path === 'session.create' ? 'mutation' : 'query'
    const { status, failure } = await callProcedure(server.url, { path, type }, input)
    expect(failure?.data.field).toBe(field)
    expect(documented.get(limit)?.beyond).toBe(`\`${failure?.data.appCode}\` ${status}`)
  },
)

test('AP-4 the server gives the answer that the page shows', async () => {
  await using server = await startTestServer()
  const input = { title: 'x'.repeat(LIMITS.titleCharacters + 1) }
  const { body } = await callProcedure(server.url, { path: 'session.create', type: 'mutation' }, input)
  expect(JSON.parse(body)).toEqual(JSON.parse(codeBlocks(limitsPage, 'json')[0] ?? ''))
})

test('AP-4 the limits of a run on the page are those of the code', () => {
  const bounds = tableRows(limitsPage, ['limit', 'value', 'what happens then', 'where'])
  expect(bounds.length).toBeGreaterThan(5)
  for (const [limit, value = '', , where = ''] of bounds) {
    const [name, path] = codeIn(where)
    const written = new RegExp(`\\b${name}(?: =|:) (?:count\\([\\d_]+\\)\\.default\\()?([\\d_ *]+)`).exec(
      page(path ?? ''),
    )
    expect([limit, number(value)]).toEqual([limit, product(written?.[1] ?? '')])
  }
})

const number = (value: string) => Number.parseInt(value.replaceAll(',', ''), 10)

const product = (source: string) =>
  source.split('*').reduce((result, factor) => result * Number(factor.replaceAll('_', '').trim()), 1)
