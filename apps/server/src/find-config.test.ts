import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { CONFIG_FILE, EMPTY_CONFIG } from './config-file.ts'
import { findConfig } from './find-config.ts'
import { type ServerProcess, startProcess } from './testing/start-process.ts'
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

/** Writes a configuration with a hook into the start folder before the server starts there. */
const written = `echo '${JSON.stringify({ hooks: [{ event: 'turn.start', command: ['true'] }] })}' > ${CONFIG_FILE}`
const through = ['sh', '-c', `${written}; exec "$@"`, 'sh']

async function hooksOf({ url }: ServerProcess): Promise<unknown[]> {
  const answer = await fetch(`${url}/trpc/hook.list`)
  return (await answer.json()).result.data.items
}

test('TO-9 a hook that was written into the start folder does not count at the next start, which says so', async () => {
  await using server = await startProcess({}, through)
  expect(await hooksOf(server)).toEqual([])
  await vi.waitFor(() => {
    expect(server.output).toMatch(/"msg":"palimpsest\.config\.json does not count/)
    expect(server.output).toMatch(/^palimpsest\.config\.json does not count/m)
  })
})

test('TO-9 a configuration in the start folder that is named counts, and the start says nothing', async () => {
  await using server = await startProcess({ PALIMPSEST_CONFIG: CONFIG_FILE }, through)
  expect(await hooksOf(server)).toHaveLength(1)
  expect(server.output).not.toContain('does not count')
})
