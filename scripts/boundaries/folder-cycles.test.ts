import { expect, test } from 'vitest'
import { folderCycles } from './folder-cycles.ts'

const importing = (imports: Record<string, string[]>) =>
  Object.entries(imports).map(([source, paths]) => ({
    source,
    dependencies: paths.map((resolved) => ({ resolved })),
  }))

test('QA-4 two folders whose files import each other are a circle, though no file is in one', () => {
  const files = importing({ 'src/a/one.ts': ['src/b/two.ts'], 'src/b/three.ts': ['src/a/four.ts'] })
  expect(folderCycles(files, ['src'])).toEqual([
    'folders-import-one-way: src: src/a/one.ts → src/b/two.ts, src/b/three.ts → src/a/four.ts',
  ])
})

test('QA-4 a circle of three folders, deep inside a place, is found once', () => {
  const files = importing({
    'src/x/a/one.ts': ['src/x/b/two.ts'],
    'src/x/b/three.ts': ['src/x/c/deep/four.ts'],
    'src/x/c/five.ts': ['src/x/a/six.ts'],
  })
  expect(folderCycles(files, ['src'])).toEqual([
    'folders-import-one-way: src/x: src/x/a/one.ts → src/x/b/two.ts, src/x/b/three.ts → src/x/c/deep/four.ts, src/x/c/five.ts → src/x/a/six.ts',
  ])
})

test('QA-4 a folder that imports a file beside it, which imports the folder, is a circle', () => {
  const files = importing({ 'src/tool.ts': ['src/bash/shell.ts'], 'src/bash/bash.ts': ['src/tool.ts'] })
  expect(folderCycles(files, ['src'])).toHaveLength(1)
})

test('QA-4 folders whose imports run one way pass, and so does a circle outside of the places', () => {
  const files = importing({
    'src/a/one.ts': ['src/b/two.ts', 'src/c/three.ts'],
    'src/b/two.ts': ['src/c/three.ts'],
    'other/a/one.ts': ['other/b/two.ts'],
    'other/b/three.ts': ['other/a/four.ts'],
  })
  expect(folderCycles(files, ['src'])).toEqual([])
  expect(folderCycles(files, ['src', 'other'])).toHaveLength(1)
})
