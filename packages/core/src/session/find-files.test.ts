import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { expect, test } from 'vitest'
import { LIMITS } from '../domain/limits.ts'

/** A core whose folders hold these paths; `asked` has the folders whose list was read. */
async function openLab(paths: readonly string[], { hangs = false } = {}) {
  const asked: string[] = []
  const clock = createFakeClock()
  const files = {
    ...createMemoryFiles(),
    glob: async (root: string, { limit }: { limit: number }, signal: AbortSignal) => {
      asked.push(root)
      if (hangs)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return { paths: paths.slice(0, limit), truncated: false }
    },
  }
  const workspaces = createMemoryWorkspaces(['/one', '/two'])
  return { asked, clock, lab: await openCoreLab({ files, workspaces, clock }) }
}

test('UI-12 files are found in the folder of a session, in a named one, and in the first one', async () => {
  const { asked, lab } = await openLab(['a.ts', 'b.ts'])
  await using _lab = lab
  const { id: sessionId } = await lab.sessions.create({ workspaceRoot: '/two' })
  expect(await lab.sessions.findFiles({ sessionId, query: 'b' })).toEqual({ paths: ['b.ts'] })
  expect(await lab.sessions.findFiles({ workspaceRoot: '/one/below', query: 'a' })).toEqual({
    paths: ['a.ts'],
  })
  await lab.sessions.findFiles({ query: '' })
  expect(asked).toEqual(['/two', '/one/below', '/one'])
})

test('UI-12 at most 20 files are found', async () => {
  const { lab } = await openLab(Array.from({ length: 100 }, (_, at) => `file-${at}.ts`))
  await using _lab = lab
  expect((await lab.sessions.findFiles({ query: 'file' })).paths).toHaveLength(20)
})

test('UI-12 while a person types on, the list of a folder is read once in five seconds', async () => {
  const { asked, clock, lab } = await openLab(['a.ts'])
  await using _lab = lab
  for (const query of ['a', 'a.', 'a.t']) await lab.sessions.findFiles({ query })
  expect(asked).toHaveLength(1)
  clock.advance(5_000)
  await lab.sessions.findFiles({ query: 'a' })
  expect(asked).toHaveLength(2)
})

test('SX-9 a folder that is not allowed is not searched', async () => {
  const { asked, lab } = await openLab(['a.ts'])
  await using _lab = lab
  await expect(lab.sessions.findFiles({ workspaceRoot: '/etc', query: 'a' })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  })
  expect(asked).toEqual([])
})

test('UI-12 a search that is too long, and one in an unknown session, are refused', async () => {
  const { lab } = await openLab([])
  await using _lab = lab
  const query = 'a'.repeat(LIMITS.searchCharacters + 1)
  await expect(lab.sessions.findFiles({ query })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(lab.sessions.findFiles({ sessionId: 'none', query: '' })).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
  })
})

test('UI-12 a folder that takes longer than five seconds to list is given up, and tried again', async () => {
  const { asked, clock, lab } = await openLab([], { hangs: true })
  await using _lab = lab
  const found = expect(lab.sessions.findFiles({ query: 'a' })).resolves.toEqual({ paths: [] })
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  clock.advance(5_000)
  await found
  void lab.sessions.findFiles({ query: 'a' }).catch(() => undefined)
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  expect(asked).toHaveLength(2)
  clock.advance(5_000)
})
