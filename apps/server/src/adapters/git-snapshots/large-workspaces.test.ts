import files, { mkdir, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOTHING_PROTECTED } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createGitSnapshots } from './git-snapshots.ts'

/** Counts the files that are looked at until it is disposed. */
function countLooks() {
  const { lstat } = files
  const looks = { open: 0, most: 0, all: 0 }
  const counted = async (path: string) => {
    looks.all += 1
    looks.open += 1
    looks.most = Math.max(looks.most, looks.open)
    return await lstat(path).finally(() => {
      looks.open -= 1
    })
  }
  const replace = (look: unknown) => {
    Object.assign(files, { lstat: look })
    syncBuiltinESMExports()
  }
  replace(counted)
  return Object.assign(looks, { [Symbol.dispose]: () => replace(lstat) })
}

test('SX-10 the first snapshot looks at no more than 100 files at once, and keeps all of them', async () => {
  await using folder = await temporaryFolder()
  const root = join(folder.path, 'work')
  await mkdir(root)
  const names = Array.from({ length: 450 }, (_, at) => `${at}.txt`)
  await Promise.all(names.map((name) => writeFile(join(root, name), name)))
  const snapshots = createGitSnapshots({ folder: join(folder.path, 'snapshots'), places: NOTHING_PROTECTED })
  using looks = countLooks()
  await snapshots.capture(root)
  expect(looks.all).toBeGreaterThanOrEqual(450)
  expect(looks.most).toBeLessThanOrEqual(100)
  await writeFile(join(root, '0.txt'), 'changed')
  const { changes } = await snapshots.capture(root)
  expect(changes.map(({ path }) => path)).toEqual(['0.txt'])
})
