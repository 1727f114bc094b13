import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'
import { mergeLines } from './use-highlighted.ts'

test('UI-6 code is coloured by the variables of the theme', async () => {
  const lines = await highlight('const a = 1\n// note', 'ts')
  expect(lines?.map((line) => line.map((token) => token.content).join(''))).toEqual([
    'const a = 1',
    '// note',
  ])
  expect(lines?.[0]?.[0]).toMatchObject({ content: 'const', color: 'var(--shiki-token-keyword)' })
})

test('UI-6 code of an unknown language stays plain', async () => {
  expect(await highlight('x', 'klingon')).toBeNull()
})

test('UI-6 lines that have colours keep them while more lines arrive', () => {
  const token = { content: 'one', offset: 0, color: 'red' }
  const lines = mergeLines('one\ntwo', { code: 'one', lines: [[token]] })
  expect(lines).toEqual([[token], 'two'])
})

test('UI-6 a line that is very long stays plain and keeps its text', async () => {
  const long = `const a = '${'x'.repeat(5_000)}'`
  const lines = await highlight(`const b = 1\n${long}`, 'js')
  expect(lines?.[1]?.map(({ content }) => content)).toEqual([long])
  expect(lines?.[0]?.length).toBeGreaterThan(1)
})
