import { mkdir, readdir, readFile, rename, rmdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createVault } from './vault.ts'
import { createVaultKey, readVaultKey, toKey } from './vault-key.ts'

const BYTES = Buffer.from(Array.from({ length: 32 }, (_, at) => at * 8))

test('UI-31 a key is 32 bytes in base64 or hexadecimal, with space around it', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom('', ' ', '\n', '\r\n', '\t '),
      (array, space) => {
        const bytes = Buffer.from(array)
        const hex = bytes.toString('hex')
        for (const text of [bytes.toString('base64'), hex, hex.toUpperCase()])
          expect(toKey(`${space}${text}${space}`)).toEqual(bytes)
      },
    ),
  )
})

test('UI-31 bytes of another number are no key', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (array) => {
      fc.pre(array.length !== 32)
      const bytes = Buffer.from(array)
      for (const text of [bytes.toString('base64'), bytes.toString('hex')]) expect(toKey(text)).toBeNull()
    }),
  )
})

test.for([
  ['nothing', ''],
  ['space', ' \n'],
  ['a password', 'correct horse battery staple'],
  ['base64 without its end', BYTES.toString('base64').slice(0, -1)],
  ['base64 of a URL', `${'-_'.repeat(21)}A=`],
  ['base64 with a line break inside', BYTES.toString('base64').replace(/^.{10}/, '$&\n')],
  ['a prefix', `0x${BYTES.toString('hex')}`],
  ['one digit that is none', `${BYTES.toString('hex').slice(0, -1)}g`],
  ['two keys', `${BYTES.toString('hex')}\n${BYTES.toString('hex')}`],
  ['a null byte', `${BYTES.toString('base64')}\0`],
] as const)('UI-31 %s is no key', ([, text]) => {
  expect(toKey(text)).toBeNull()
})

test('UI-31 a file that is not there has no key, and reading makes none', async () => {
  await using folder = await temporaryFolder()
  expect(await readVaultKey(join(folder.path, 'a.key'))).toBeNull()
  expect(await readdir(folder.path)).toEqual([])
})

test('UI-31 a key that was made is read again, in a file of its owner alone', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'a.key')
  const made = await createVaultKey(file)
  expect(made).toHaveLength(32)
  expect(await readVaultKey(file)).toEqual(made)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder.path)).toEqual(['a.key'])
})

test('UI-31 each key that is made is another one', async () => {
  await using folder = await temporaryFolder()
  const keys = await Promise.all(['a', 'b', 'c'].map((name) => createVaultKey(join(folder.path, name))))
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(3)
})

test('UI-31 no part of a key is left where its file cannot be made', async () => {
  await using folder = await temporaryFolder()
  await expect(createVaultKey(join(folder.path, 'missing', 'a.key'))).rejects.toMatchObject({
    code: 'ENOENT',
  })
  await mkdir(join(folder.path, 'taken', 'full'), { recursive: true })
  await expect(createVaultKey(join(folder.path, 'taken'))).rejects.toThrow()
  expect(await readdir(folder.path)).toEqual(['taken'])
})

test.for(['', 'x', BYTES.toString('hex').slice(1)])(
  'UI-31 a file that holds %j is an error, not a file without a key',
  async (content) => {
    await using folder = await temporaryFolder()
    const file = join(folder.path, 'a.key')
    await writeFile(file, content)
    await expect(readVaultKey(file)).rejects.toThrow('holds no key')
  },
)

test('UI-31 a folder in the place of the key is an error', async () => {
  await using folder = await temporaryFolder()
  await expect(readVaultKey(folder.path)).rejects.toMatchObject({ code: 'EISDIR' })
})

test('UI-31 texts that are sealed at the same time on a new file are all opened afterwards', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'a.key')
  const vaults = [createVault({ file }), createVault({ file }), createVault({ file })]
  const sealed = await Promise.all(
    Array.from({ length: 12 }, (_, at) => vaults[at % 3]?.seal(`text ${at}`, 'p')),
  )
  const fresh = createVault({ file })
  const opened = await Promise.all(sealed.map((text) => fresh.open(text ?? '', 'p')))
  expect(opened).toEqual(Array.from({ length: 12 }, (_, at) => `text ${at}`))
  expect(await readdir(folder.path)).toEqual(['a.key'])
})

test('UI-31 a key that is there already is used and not written over', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'a.key')
  await writeFile(file, BYTES.toString('hex'))
  expect(await createVaultKey(file)).toEqual(BYTES)
  expect(await readFile(file, 'utf8')).toBe(BYTES.toString('hex'))
})

test('UI-31 a key in hexadecimal, or behind a link, seals for the same key in the environment', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'real.key'), `${BYTES.toString('hex')}\n`)
  await symlink('real.key', join(folder.path, 'a.key'))
  const sealed = await createVault({ file: join(folder.path, 'a.key') }).seal('canary', 'p')
  expect(await createVault({ bytes: BYTES }).open(sealed, 'p')).toBe('canary')
  expect(await readdir(folder.path)).toEqual(['a.key', 'real.key'])
})

test('UI-31 a key that cannot be read opens nothing, and opens again once it can', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'a.key')
  const sealed = await createVault({ file }).seal('canary', 'p')
  // A folder is not read as a file, by an administrator either.
  await rename(file, `${file}.away`)
  await mkdir(file)
  expect(await createVault({ file }).open(sealed, 'p')).toBeNull()
  await expect(createVault({ file }).seal('x', 'p')).rejects.toMatchObject({ code: 'STORE_ERROR' })
  await rmdir(file)
  await rename(`${file}.away`, file)
  expect(await createVault({ file }).open(sealed, 'p')).toBe('canary')
})

test('UI-31 an empty text is sealed and opened, and its purpose may be any text', async () => {
  const vault = createVault({ bytes: BYTES })
  for (const purpose of ['', 'ü', 'a.b', '\0'])
    expect(await vault.open(await vault.seal('', purpose), purpose)).toBe('')
})

test('UI-31 a sealed text has one spelling: letters, digits, - and _ behind its version', async () => {
  const vault = createVault({ bytes: BYTES })
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      expect(await vault.seal(text, 'p')).toMatch(/^v1\.[\w-]{38,}$/)
    }),
  )
})
