import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { NO_RECORDS } from '../../testing/nothing-protected.ts'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'
import { createBwrapSandbox } from './bwrap-sandbox.ts'

const SWAPS = 30

test('TO-9 a workspace whose path a command has replaced by a link is refused, in each access', async () => {
  await using lab = await openSandboxLab({
    workspace: 'work/sub',
    places: (path) => ({ hidden: [join(path, 'data')] }),
  })
  await mkdir(join(lab.path, 'data'))
  await writeFile(join(lab.path, 'data/palimpsest.db'), 'secret')
  await lab.run('rmdir sub && ln -s ../data sub', 'write', join(lab.path, 'work'))
  for (const access of ['read', 'write'] as const) {
    const { running } = lab.start('cat palimpsest.db; echo x > made', access)
    await expect(running.exited).rejects.toThrow(AppError)
    await running.end()
  }
  expect(existsSync(join(lab.path, 'data/made'))).toBe(false)
})

test.for(['with', 'without'])(
  'TO-9 a folder that is swapped while commands start is never left for another, %s a sandbox',
  async (how) => {
    await using lab = await openSandboxLab({ workspace: 'a/sub/deep' })
    await mkdir(join(lab.path, 'data/deep'), { recursive: true })
    await writeFile(join(lab.path, 'data/deep/victim'), 'secret')
    // One that was not tried is none.
    const sandbox =
      how === 'with'
        ? lab.sandbox
        : createBwrapSandbox({ home: '/nowhere', hidden: [], readable: [], settings: [] }, NO_RECORDS)
    const sub = join(lab.path, 'a/sub')
    let isOver = false
    async function swap() {
      for (; !isOver; ) {
        await rename(sub, `${sub}-kept`)
        await symlink('../data', sub)
        await rename(sub, `${sub}-link`)
        await rename(`${sub}-kept`, sub)
        await unlink(`${sub}-link`)
      }
    }
    const swapping = swap()
    const said: string[] = []
    for (let at = 0; at < SWAPS; at += 1) {
      const { running } = lab.start('cat victim; echo x >> made; echo x > victim', 'write', lab.root, sandbox)
      running.onOutput((text) => void said.push(text))
      await running.exited.catch(() => null)
      await running.end()
    }
    isOver = true
    await swapping
    expect(said.join('')).not.toContain('secret')
    expect(await readFile(join(lab.path, 'data/deep/victim'), 'utf8')).toBe('secret')
    expect(existsSync(join(lab.path, 'data/deep/made'))).toBe(false)
  },
)
