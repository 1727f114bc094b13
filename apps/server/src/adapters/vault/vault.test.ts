import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createVault } from './vault.ts'

const KEY = Buffer.alloc(32, 7)

test('UI-31 a sealed text is opened with its key and for its purpose, and by nothing else', async () => {
  const vault = createVault({ bytes: KEY })
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.string(),
      async (text, purpose, other) => {
        const sealed = await vault.seal(text.toWellFormed(), purpose)
        expect(await vault.open(sealed, purpose)).toBe(text.toWellFormed())
        if (other !== purpose) expect(await vault.open(sealed, other)).toBeNull()
        expect(await createVault({ bytes: Buffer.alloc(32, 8) }).open(sealed, purpose)).toBeNull()
      },
    ),
  )
})

test('UI-31 a changed or foreign text is not opened', async () => {
  const vault = createVault({ bytes: KEY })
  const sealed = await vault.seal('canary', 'p')
  expect(sealed).not.toContain('canary')
  expect(await vault.seal('canary', 'p')).not.toBe(sealed)
  for (let at = 3; at < sealed.length; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    // The last character of base64 has bits that stand for nothing.
    if (at < sealed.length - 1) expect(await vault.open(changed, 'p')).toBeNull()
  }
  for (const odd of ['', 'v1', 'v1.', 'v1.AAAA', `v2.${sealed.slice(3)}`, 'text', sealed.slice(0, -4)])
    expect(await vault.open(odd, 'p')).toBeNull()
})

test('UI-31 the file of the key is made when it is first needed, for its owner alone, and used from then on', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'palimpsest.key')
  const vault = createVault({ file })
  expect(await vault.open('v1.AAAA', 'p')).toBeNull()
  expect(await readdir(folder.path)).toEqual([])
  const sealed = await vault.seal('canary', 'p')
  expect(await readdir(folder.path)).toEqual(['palimpsest.key'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const written = await readFile(file, 'utf8')
  expect(Buffer.from(written, 'base64')).toHaveLength(32)
  expect(await createVault({ file }).open(sealed, 'p')).toBe('canary')
  await createVault({ file }).seal('another', 'p')
  expect(await readFile(file, 'utf8')).toBe(written)
})

test('UI-31 a file that holds no key opens nothing, is not overwritten, and refuses to seal', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'palimpsest.key')
  await writeFile(file, 'not a key')
  const vault = createVault({ file })
  expect(await vault.open('v1.AAAA', 'p')).toBeNull()
  await expect(vault.seal('canary', 'p')).rejects.toMatchObject({
    code: 'STORE_ERROR',
    message: expect.not.stringContaining(folder.path),
  })
  expect(await readFile(file, 'utf8')).toBe('not a key')
})
