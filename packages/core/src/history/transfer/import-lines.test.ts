import { given } from '@palimpsest/testing/store-contract/fixtures.ts'
import { expect, test, vi } from 'vitest'
import { importLines } from './import-lines.ts'

/** What is read of these pieces, and how often other work had its turn. */
async function read(pieces: Iterable<string>) {
  let turns = 0
  const clock = { turn: () => Promise.resolve(void turns++) }
  const rows = await Array.fromAsync(importLines(given([...pieces]), clock)).catch((error: Error) => error)
  return { rows, turns }
}

const ROW = '{"type":"session","data":{"id":"ses_1"}}'
const MB = 1024 * 1024

test('SX-12 an import of white space alone is read in linear time, and has no row', async () => {
  const pieces = Array.from({ length: 1_024 }, () => ' '.repeat(MB / 16))
  expect(await read(pieces)).toEqual({ rows: [], turns: 1_024 })
})

test.for([
  ['blank lines', '\n'.repeat(4 * MB), []],
  ['no rows', `[${' '.repeat(4 * MB)}]`, []],
  ['commas', `[${','.repeat(4 * MB)}`, 'Line 1 is not a row of an export.'],
  ['quotes', `[${'"'.repeat(4 * MB)}`, 'Line 1 is not a row of an export.'],
  ['many arrays', '[]'.repeat(2 * MB), []],
] as const)('SX-12 other work gets a turn for each 64 kB of an import of %s', async ([, text, result]) => {
  const { rows, turns } = await read([text])
  if (typeof result === 'string') expect(rows).toMatchObject({ code: 'INVALID_INPUT', message: result })
  else expect(rows).toEqual(result)
  if (text[1] !== ',') expect(turns).toBeGreaterThanOrEqual(64)
})

test.for([
  ['nested', `{"type":"session","data":{"id":${'['.repeat(MB)}${']'.repeat(MB)}}}`],
  ['full of values', `{"type":"session","data":{"id":[${'{},'.repeat(MB)}1]}}`],
])('SX-12 a row that is %s is refused before it is parsed', async ([, text]) => {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    const { rows } = await read([`\n${text}`])
    expect(rows).toMatchObject({ message: 'Line 2 is not a row of an export.' })
    expect(parse).not.toHaveBeenCalled()
  } finally {
    parse.mockRestore()
  }
})

test.for([
  [[`\n \n${ROW}\n\n${ROW}`], [3, 5]],
  [
    [' ', '\n', `\n${ROW}`, '\n', '\n', ROW, '\n\n'],
    [3, 5],
  ],
  [
    ['\n\n[', `\n${ROW},\n\n`, `${ROW}\n]\n`],
    [4, 6],
  ],
] as const)('OB-1 rows of %j have the numbers of their lines', async ([pieces, numbers]) => {
  const { rows } = await read(pieces)
  expect(rows).toMatchObject(numbers.map((number) => ({ type: 'session', number })))
})

test.for([`[${ROW},,${ROW}]`, `[${ROW}] and [${ROW}]`, `[${ROW}],${ROW}`, `[${ROW}]]`])(
  'OB-1 %s is no export',
  async (text) => {
    const { rows } = await read([text])
    expect(rows).toMatchObject({ code: 'INVALID_INPUT', message: 'Line 1 is not a row of an export.' })
  },
)
