import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONFIG_FILE, EMPTY_CONFIG } from './config-file.ts'
import { findConfig } from './find-config.ts'
import { startProcess } from './testing/start-process.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const NOTICE = /does not count.* PALIMPSEST_CONFIG=palimpsest\.config\.json npx pnpm@12 start$/

/** A start folder with a configuration, and a folder beside it. */
async function openStart(content: object = { snapshots: true }) {
  const folder = await temporaryFolder()
  const [start, beside] = [join(folder.path, 'start'), join(folder.path, 'beside')]
  await mkdir(join(start, 'sub'), { recursive: true })
  await mkdir(beside)
  await writeFile(join(start, CONFIG_FILE), JSON.stringify(content))
  return { path: folder.path, start, beside, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('TO-9 the configuration of the start folder does not count where chats work in that folder, unless it is named', async () => {
  await using at = await openStart()
  const ignored = { config: EMPTY_CONFIG, notice: expect.stringMatching(NOTICE) }
  expect(await findConfig({}, at.start)).toEqual(ignored)
  for (const workspace of [at.start, '.', at.path, '..', '/'])
    expect([workspace, await findConfig({ PALIMPSEST_WORKSPACE: workspace }, at.start)]).toEqual([
      workspace,
      ignored,
    ])
  await symlink(at.start, join(at.path, 'link'))
  expect(await findConfig({ PALIMPSEST_WORKSPACE: join(at.path, 'link') }, at.start)).toEqual(ignored)
  expect(await findConfig({}, join(at.path, 'link'))).toEqual(ignored)
  for (const named of [CONFIG_FILE, join(at.start, CONFIG_FILE)])
    expect(await findConfig({ PALIMPSEST_CONFIG: named }, at.start)).toMatchObject({
      config: { snapshots: true },
      notice: null,
    })
})

test('TO-9 the configuration of the start folder counts where chats work elsewhere', async () => {
  await using at = await openStart()
  for (const workspace of [at.beside, join(at.start, 'sub'), '../beside'])
    expect(await findConfig({ PALIMPSEST_WORKSPACE: workspace }, at.start)).toMatchObject({
      config: { snapshots: true },
      notice: null,
    })
})

test('TO-9 a configuration that lets chats work where it lies, or is a link to such a folder, does not count', async () => {
  await using own = await openStart({ workspaces: ['..'] })
  const elsewhere = { PALIMPSEST_WORKSPACE: own.beside }
  expect((await findConfig(elsewhere, own.start)).notice).toMatch(NOTICE)
  await writeFile(join(own.beside, 'theirs.json'), JSON.stringify({ snapshots: true }))
  await symlink(join(own.beside, 'theirs.json'), join(own.path, CONFIG_FILE))
  expect((await findConfig(elsewhere, own.path)).notice).toMatch(NOTICE)
})

test('TO-9 a file that does not count is not read, and without one nothing is said', async () => {
  await using at = await openStart()
  await writeFile(join(at.start, CONFIG_FILE), '{ broken')
  expect((await findConfig({}, at.start)).notice).toMatch(NOTICE)
  expect(await findConfig({}, at.beside)).toEqual({ config: EMPTY_CONFIG, notice: null })
})

test('TO-9 a hook that was written into the start folder does not run at the next start, and the start says so', async () => {
  const hook = { event: 'turn.start', command: ['touch', 'it-ran'] }
  const write = `echo '${JSON.stringify({ hooks: [hook] })}' > ${CONFIG_FILE}; exec "$@"`
  await using server = await startProcess({}, ['sh', '-c', write, 'sh'])
  const answer = await fetch(`${server.url}/trpc/hook.list`)
  expect((await answer.json()).result.data.items).toEqual([])
  await expect.poll(() => server.output).toMatch(/"msg":"palimpsest\.config\.json does not count/)
  await expect.poll(() => server.output).toMatch(/^palimpsest\.config\.json does not count/m)
  await using named = await startProcess({ PALIMPSEST_CONFIG: CONFIG_FILE }, ['sh', '-c', write, 'sh'])
  const listed = await fetch(`${named.url}/trpc/hook.list`)
  expect((await listed.json()).result.data.items).toHaveLength(1)
  expect(named.output).not.toContain('does not count')
})
