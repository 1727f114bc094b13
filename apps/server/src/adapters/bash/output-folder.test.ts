import { readdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createOutputFolder } from './output-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1000

test('TO-3 a sweep removes outputs whose blob is gone, and those without one that are older than a day and complete', async () => {
  await using folder = await temporaryFolder()
  let now = Date.now()
  const clock = { now: () => now }
  const outputs = createOutputFolder(folder.path, { clock, isRunning: (mark) => mark === 'running' })
  for (const mark of ['stored', 'purged', 'cut', 'running']) await writeFile(outputs.pathOf(mark), mark)
  await outputs.keep('stored', 'a')
  await outputs.keep('purged', 'b')
  await outputs.keep('no-file', 'b')
  const left = async () => {
    await outputs.sweep((hashes) => Promise.resolve(hashes.filter((hash) => hash === 'a')))
    return (await readdir(folder.path)).toSorted()
  }
  expect(await left()).toEqual(['cut.txt', 'running.txt', 'stored.blob', 'stored.txt'])
  now += 2 * DAY_MS
  expect(await left()).toEqual(['running.txt', 'stored.blob', 'stored.txt'])
})

test('TO-3 a sweep of a folder that is not there does nothing', async () => {
  const outputs = createOutputFolder('/nowhere', { clock: { now: Date.now }, isRunning: () => false })
  await expect(outputs.sweep(() => Promise.resolve([]))).resolves.toBeUndefined()
})
