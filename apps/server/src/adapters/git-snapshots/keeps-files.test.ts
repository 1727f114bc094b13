import { execFileSync } from 'node:child_process'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { canWrite, isCheckout, keepsFiles } from './keeps-files.ts'

test.for([
  [undefined, true, true, true],
  [undefined, true, false, false],
  [undefined, false, true, false],
  [undefined, false, false, false],
] as const)('RW-5 with the setting %s, a checkout %s and writing tools %s files are kept: %s', (facts) => {
  const [configured, checkout, writes, kept] = facts
  expect(keepsFiles({ configured, isCheckout: checkout, canWrite: writes })).toBe(kept)
})

test('RW-5 the setting counts whatever the workspace is', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.boolean(), (configured, checkout, writes) => {
      expect(keepsFiles({ configured, isCheckout: checkout, canWrite: writes })).toBe(configured)
    }),
  )
})

const rule = (permission: string, over: object = {}) => ({
  permission,
  pattern: '*',
  action: 'deny' as const,
  pinned: true as const,
  ...over,
})

test('RW-5 no tool can write once every edit and every command is denied for good', () => {
  expect(canWrite([rule('edit'), rule('command')])).toBe(false)
  expect(canWrite([rule('*')])).toBe(false)
})

test.for([
  ['nothing is denied', []],
  ['commands are left', [rule('edit')]],
  ['edits are left', [rule('command')]],
  ['only some files are denied', [rule('edit', { pattern: 'src/*' }), rule('command')]],
  ['a rule is allowed to be loosened', [{ permission: '*', pattern: '*', action: 'deny' as const }]],
  ['it is asked about', [rule('*', { action: 'ask' })]],
] as const)('RW-5 a tool may write when %s', ([, rules]) => {
  expect(canWrite(rules)).toBe(true)
})

test('RW-5 a folder is a checkout inside a repository, and none without one or in one that is broken', async () => {
  await using folder = await temporaryFolder()
  const root = await realpath(folder.path)
  expect(await isCheckout(root)).toBe(false)
  execFileSync('git', ['init', '--quiet', root])
  const below = join(root, 'a')
  await mkdir(below)
  expect([await isCheckout(root), await isCheckout(below)]).toEqual([true, true])
  await rm(join(root, '.git', 'HEAD'))
  expect(await isCheckout(root)).toBe(false)
})
