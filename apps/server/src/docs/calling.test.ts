import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AppError, ERROR_CODES } from '@palimpsest/core/domain'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { codeBlocks, codeIn, tableRows } from '../../../../scripts/readme/markdown.ts'
import { page } from '../../../../scripts/readme/pages.ts'
import { toRefusal } from '../refusal.ts'
import { appRouter } from '../routers/app-router.ts'
import { PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/index.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const text = page('docs/calling.md')
const rows = tableRows(text, ['procedure', 'kind', 'takes', 'what it does'])

// tRPC keeps the schemas of inputs at runtime, without types for them.
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>

test('SV-1 the page on calling lists every procedure with its kind, and no other', () => {
  const documented = rows.map(([path = '', kind]) => [codeIn(path)[0], kind])
  expect(documented.toSorted()).toEqual(PROCEDURES.map(({ path, type }) => [path, type]).toSorted())
})

test.each(rows)(
  'AP-1 the page on calling names the fields of %s, and which of them are optional',
  (path = '', _, takes = '') => {
    expect(codeIn(takes).toSorted()).toEqual(inputOf(codeIn(path)[0] ?? '').toSorted())
  },
)

test('SV-5 the page on calling has every code under its status', () => {
  const documented = tableRows(text, ['status', 'codes']).flatMap(([status, codes = '']) =>
    codeIn(codes).map((code) => [code, Number(status)]),
  )
  const real = ERROR_CODES.map((code) => [code, toRefusal(new AppError(code, '')).status])
  expect(documented.toSorted()).toEqual(real.toSorted())
})

test('SV-1 the script of the page creates a session and reads its reply with nothing but fetch', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'by-hand.mjs')
  await writeFile(path, codeBlocks(text, 'js')[0] ?? '')
  await using server = await startTestServer()
  server.provider.script(reply({ text: ['Said', ' ', 'by\n\nhand: äöü ', '✓'] }))
  const { stdout } = await promisify(execFile)(process.execPath, [path], {
    env: { ...process.env, PALIMPSEST_URL: server.url },
  })
  expect(stdout).toBe('Said by\n\nhand: äöü ✓')
})

/** The fields of a procedure's input, as the page writes them. */
function inputOf(path: string): string[] {
  const [input = z.strictObject({})] = procedures[path]?._def.inputs ?? []
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`))
}
