import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTPUT_LIMITS } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createOutputFile } from './output-file.ts'

const { head } = OUTPUT_LIMITS

test('TO-3 output that a result holds makes no file', async () => {
  await using folder = await temporaryFolder()
  const file = createOutputFile(join(folder.path, 'out', 'a.txt'))
  expect(file.add(Buffer.alloc(head - 1, 'a'))).toBeNull()
  expect(file.add(Buffer.from('b'))).toBeNull()
  expect([file.path, file.isFull]).toEqual([null, false])
  await file.close()
  expect(await readdir(folder.path)).toEqual([])
})

test('TO-3 one byte more makes a file that begins with the first byte, for its owner alone', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'deep', 'out', 'a.txt')
  const file = createOutputFile(path)
  file.add(Buffer.alloc(head, 'a'))
  await file.add(Buffer.from('b'))
  expect(file.path).toBe(path)
  await file.close()
  expect(await readFile(path, 'utf8')).toBe(`${'a'.repeat(head)}b`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder.path, 'deep', 'out'))).mode & 0o777).toBe(0o700)
})

test('TO-3 no output makes no file, and closing twice is closing once', async () => {
  await using folder = await temporaryFolder()
  const file = createOutputFile(join(folder.path, 'a.txt'))
  file.add(Buffer.alloc(0))
  await file.close()
  await file.close()
  expect(await readdir(folder.path)).toEqual([])
})

test('TO-3 the file has all bytes in their order, in whatever pieces they come', async () => {
  await using folder = await temporaryFolder()
  let made = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 12 }),
      async (sizes) => {
        made += 1
        const path = join(folder.path, `${made}.txt`)
        const file = createOutputFile(path)
        const pieces = sizes.map((size, at) => Buffer.alloc(size, at + 65))
        // As a pipe would go on: each piece once the one before is taken.
        for (const piece of pieces) await file.add(piece)
        await file.close()
        const all = Buffer.concat(pieces)
        expect(file.path).toBe(all.length > head ? path : null)
        if (file.path !== null) expect((await readFile(path)).equals(all)).toBe(true)
      },
    ),
    { numRuns: 20 },
  )
})

test('TO-3 pieces that are not waited for are written in their order too', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.txt')
  const file = createOutputFile(path)
  const pieces = Array.from({ length: 8 }, (_, at) => Buffer.alloc(60_000, at + 65))
  await Promise.all(pieces.map((piece) => file.add(piece)))
  await file.close()
  expect((await readFile(path)).equals(Buffer.concat(pieces))).toBe(true)
})

test('TO-3 a file of an earlier command with the same name is replaced', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.txt')
  await writeFile(path, 'old'.repeat(100_000))
  const file = createOutputFile(path)
  await file.add(Buffer.alloc(head + 1, 'n'))
  await file.close()
  expect(await readFile(path, 'utf8')).toBe('n'.repeat(head + 1))
})

test('TO-3 output beyond what is kept is counted and not kept', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.txt')
  const file = createOutputFile(path)
  await file.add(Buffer.alloc(head + 1, 'a'))
  expect(file.isFull).toBe(false)
  // Pages of zeros that are never read cost no memory.
  expect(file.add(Buffer.alloc(OUTPUT_LIMITS.total))).toBeNull()
  expect(file.isFull).toBe(true)
  expect(file.add(Buffer.from('late'))).toBeNull()
  await file.close()
  expect((await stat(path)).size).toBe(head + 1)
})

test.for([
  ['its folder is a file', 'file/a.txt'],
  ['a folder has its name', 'folder'],
] as const)('TO-3 no path is given where %s, and output goes on', async ([, name]) => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'file'), '')
  await mkdir(join(folder.path, 'folder'))
  const file = createOutputFile(join(folder.path, name))
  await file.add(Buffer.alloc(head + 1, 'a'))
  await file.add(Buffer.alloc(1_000_000, 'b'))
  await file.close()
  expect(file.path).toBeNull()
  expect(file.isFull).toBe(false)
})
