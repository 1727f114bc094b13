import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { keepFiles } from './keep-files.ts'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])
const WAV = Uint8Array.from([0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x41, 0x56, 0x45])
const file = (name: string, mediaType: string, bytes: Uint8Array<ArrayBuffer>) => ({ name, mediaType, bytes })

test('MC-2 files of a result are stored, a picture under the type of its content', async () => {
  const { kept, notes } = await keepFiles(
    [
      file('a.png', 'image/jpeg', PNG),
      file('b.wav', 'audio/wav', WAV),
      file('c', 'no type', Uint8Array.from([1, 2])),
      file('d.txt', 'text/plain', new TextEncoder().encode('hi')),
    ],
    toolRuntime(),
  )
  expect(notes).toEqual([])
  expect(kept.map(({ filename, mediaType }) => [filename, mediaType])).toEqual([
    ['a.png', 'image/png'],
    ['b.wav', 'audio/wav'],
    ['c', 'application/octet-stream'],
    ['d.txt', 'text/plain'],
  ])
  expect(kept.some(({ url }) => url.startsWith('data:'))).toBe(false)
})

test.each([
  ['a picture of text', file('x.png', 'image/png', new TextEncoder().encode('<svg onload=x>'))],
  ['a sound of another kind', file('x.wav', 'audio/wav', PNG)],
  ['a text with zeros', file('x.txt', 'text/plain', Uint8Array.from([0, 1]))],
  ['a file without bytes', file('x.png', 'image/png', new Uint8Array())],
])('MC-2 %s is left out and named', async (_what, wrong) => {
  const { kept, notes } = await keepFiles([wrong], toolRuntime())
  expect(kept).toEqual([])
  expect(notes).toEqual([expect.stringContaining(`${wrong.name} is left out`)])
})

test('MC-2 a result has ten files at most, with names of one line', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `../${index}\n\u202e${'x'.repeat(200)}`)
  const { kept, notes } = await keepFiles(
    names.map((name) => file(name, 'image/png', PNG)),
    toolRuntime(),
  )
  expect([kept.length, notes.length]).toEqual([10, 2])
  for (const { filename = '' } of kept) expect(filename).toMatch(/^\.\._\d+ x+…$/)
})
