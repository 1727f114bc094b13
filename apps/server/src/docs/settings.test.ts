import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeIn, tableRows } from '../../../../scripts/readme/markdown.ts'
import { page, root } from '../../../../scripts/readme/pages.ts'
import { readEnv } from '../env.ts'

const rows = tableRows(page('README.md'), ['variable', 'default', 'meaning'])
const documented = new Map(rows.map(([variable = '', value = '']) => [codeIn(variable)[0] ?? '', value]))

test('CF-1 the settings of the README are those that the server reads', () => {
  const source = readFileSync(join(root, 'apps/server/src/env.ts'), 'utf8')
  const read = new Set(source.match(/(?<=^ {2})[A-Z][A-Z_]+(?=:)/gm))
  expect(read.size).toBeGreaterThan(10)
  expect([...documented.keys()].toSorted()).toEqual([...read].toSorted())
})

test('CF-1 each default of the README is the one that an empty environment gives', () => {
  const defaults = Object.entries(readEnv({}))
  expect(defaults.length).toBeGreaterThan(8)
  for (const [variable, value] of defaults)
    expect([variable, documented.get(variable)]).toEqual([variable, shown(value)])
})

test('CF-1 a placeholder default of the README is not a value of the variable', () => {
  const optional = [...documented.keys()].filter((variable) => !(variable in readEnv({})))
  for (const variable of optional.filter((name) => name !== 'PALIMPSEST_CONFIG')) {
    expect([variable, codeIn(documented.get(variable) ?? '')]).toEqual([variable, []])
  }
})

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join()
  if (typeof value === 'boolean') return value ? '`on`' : '`off`'
  return `\`${String(value)}\``
}
