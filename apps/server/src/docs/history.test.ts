import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compactionSettingsSchema } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { codeBlocks, codeIn, tableRows } from '../../../../scripts/readme/markdown.ts'
import { page } from '../../../../scripts/readme/pages.ts'
import { readConfigFile } from '../config-file.ts'
import { appRouter } from '../routers/app-router.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const text = page('docs/history.md')

test('CF-1 the page on history lists every key of compaction, and its example is accepted', async () => {
  const rows = tableRows(text, ['key', 'default', 'meaning'])
  const documented = rows.flatMap(([key = '']) => codeIn(key))
  expect(documented.toSorted()).toEqual(Object.keys(compactionSettingsSchema.shape).toSorted())
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'palimpsest.config.json')
  await writeFile(path, codeBlocks(text, 'json')[0] ?? '')
  expect(await readConfigFile(path)).toMatchObject({
    compaction: { tail_turns: 3 },
    agents: { assistant: { compaction: { min_turns_between: 2 } } },
  })
})

test('SV-1 every procedure that the page on history names exists', () => {
  const named = codeIn(text).filter((code) => /^session\.\w+$/.test(code))
  expect(named.length).toBeGreaterThan(10)
  expect(Object.keys(appRouter._def.procedures)).toEqual(expect.arrayContaining(named))
})
