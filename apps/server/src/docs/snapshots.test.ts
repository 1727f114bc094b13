import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from '../../../../scripts/readme/markdown.ts'
import { page } from '../../../../scripts/readme/pages.ts'
import { readConfigFile } from '../config-file.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

test('RW-5 snapshots are off, and the setting on the page enables them', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'palimpsest.config.json')
  await writeFile(path, '{}')
  expect((await readConfigFile(path)).snapshots).toBe(false)
  await writeFile(path, codeBlocks(page('docs/snapshots.md'), 'json')[0] ?? '')
  expect((await readConfigFile(path)).snapshots).toBe(true)
})
