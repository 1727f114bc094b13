import { expect, test } from 'vitest'
import { unreadFiles } from './unread.ts'

const texts: Record<string, string> = {
  'a.ts': "import { b } from './b.ts'\n",
  'b.ts': 'export const b = 1\n',
  'c.ts': "import { client } from './generated/client.ts'\n",
}
const textOf = (file: string) => texts[file] ?? ''

test('QA-4 a file that the reader dropped silently is unread', () => {
  expect(unreadFiles(['a.ts', 'b.ts'], [{ source: 'b.ts', dependencies: [] }], textOf)).toEqual(['a.ts'])
})

test('QA-4 a file whose imports the reader did not find is unread', () => {
  const modules = Object.keys(texts).map((source) => ({ source, dependencies: [] }))
  expect(unreadFiles(Object.keys(texts), modules, textOf)).toEqual(['a.ts'])
})
