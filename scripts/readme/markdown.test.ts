import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeBlocks, codeIn, tableRows } from './markdown.ts'

const PAGE = `# A page

Some \`code\` and \`more code\`, and a lone \` here.

\`\`\`sh
npx pnpm@12 start
\`\`\`

| variable | default |
|---|---|
| \`PORT\` | \`3000\` |
| \`HOST\` | none |

\`\`\`json
{ "a": "\`\`\`" }
\`\`\`

| variable | meaning |
|---|---|
| \`OTHER\` | another table |

| variable | default |
| --- | --- |
| \`LATER\` |  |
`

test('QA-4 code of a page is read by its language, unchanged between its fences', () => {
  expect(codeBlocks(PAGE, 'sh')).toEqual(['npx pnpm@12 start'])
  expect(codeBlocks(PAGE, 'json')).toEqual(['{ "a": "```" }'])
  expect(codeBlocks(PAGE, 'ts')).toEqual([])
})

test('QA-4 rows are those of every table with exactly this head, empty cells included', () => {
  expect(tableRows(PAGE, ['variable', 'default'])).toEqual([
    ['`PORT`', '`3000`'],
    ['`HOST`', 'none'],
    ['`LATER`', ''],
  ])
  expect(tableRows(PAGE, ['variable', 'meaning'])).toEqual([['`OTHER`', 'another table']])
  expect(tableRows(PAGE, ['variable'])).toEqual([])
  expect(tableRows(PAGE, ['default', 'variable'])).toEqual([])
})

test('QA-4 text between backticks is code, on one line', () => {
  expect(codeIn('`a`, `b c` and `d\ne`')).toEqual(['a', 'b c'])
  expect(codeIn('none')).toEqual([])
})

test('QA-4 rows of any table are read as they were written', () => {
  const cell = fc.stringMatching(/^[\w` .,-]{0,12}$/).map((text) => text.trim())
  const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 })
  fc.assert(
    fc.property(rows, (written) => {
      const lines = written.map((cells) => `| ${cells.join(' | ')} |`)
      const table = ['Before', '', '| a | b | c |', '|---|---|---|', ...lines, '', 'After'].join('\n')
      expect(tableRows(table, ['a', 'b', 'c'])).toEqual(written)
    }),
  )
})
