import { execFile } from 'node:child_process'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../src/testing/temporary-folder.ts'
import { sourcePlaces } from './source-places.ts'

const FILES = {
  'packages/one/src/deep/places.ts': `
    import { Worker } from 'node:worker_threads'
    import { fileURLToPath } from 'node:url'
    import { inPlace } from 'better-sqlite3'
    const worker = new Worker(new URL('./worker.ts', import.meta.url))
    worker.once('message', (said: string) => console.log(JSON.stringify([
      fileURLToPath(new URL('../../asset', import.meta.url)),
      import.meta.dirname,
      fileURLToPath(import.meta.resolve('found')),
      inPlace,
      said,
    ])))`,
  'packages/one/src/deep/worker.ts': `
    import { parentPort } from 'node:worker_threads'
    parentPort?.postMessage('built' satisfies string)`,
  'packages/one/node_modules/found/package.json': '{ "type": "module", "exports": "./index.js" }',
  'packages/one/node_modules/found/index.js': '',
  'packages/one/node_modules/better-sqlite3/package.json': '{ "type": "module", "exports": "./index.js" }',
  'packages/one/node_modules/better-sqlite3/index.js': 'export const inPlace = import.meta.filename',
}

test('PF-7 built modules find files, packages and workers as their sources do, wherever the checkout is moved', async () => {
  await using folder = await temporaryFolder()
  const before = join(folder.path, 'before')
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(before, path)), { recursive: true })
    await writeFile(join(before, path), content)
  }
  const dist = join(before, 'build/dist')
  await using bundle = await rolldown({
    input: { main: join(before, 'packages/one/src/deep/places.ts') },
    platform: 'node',
    plugins: [sourcePlaces(dist)],
  })
  await bundle.write({ dir: dist, format: 'esm' })
  const after = join(folder.path, 'after')
  await rename(before, after)
  const { stdout } = await promisify(execFile)(process.execPath, [join(after, 'build/dist/main.js')])
  expect(JSON.parse(stdout)).toEqual([
    join(after, 'packages/one/asset'),
    join(after, 'packages/one/src/deep'),
    join(after, 'packages/one/node_modules/found/index.js'),
    join(after, 'packages/one/node_modules/better-sqlite3/index.js'),
    'built',
  ])
})
