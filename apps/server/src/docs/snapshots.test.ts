import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from '../../../../scripts/readme/markdown.ts'
import { page } from '../../../../scripts/readme/pages.ts'
import { readConfigFile } from '../config-file.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

test('RW-5 the setting for snapshots is left open, and the one on the page switches them off', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'palimpsest.config.json')
  await writeFile(path, '{}')
  expect((await readConfigFile(path)).snapshots).toBeUndefined()
  await writeFile(path, codeBlocks(page('docs/snapshots.md'), 'json')[0] ?? '')
  expect((await readConfigFile(path)).snapshots).toBe(false)
})
