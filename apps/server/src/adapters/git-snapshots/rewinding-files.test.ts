import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { IDLE_HOOK, reply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { callProcedure } from '../../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../../testing/index.ts'
import { NOTHING_PROTECTED } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createGitSnapshots } from './git-snapshots.ts'

// Each state takes several processes of git, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)

test.for(['a repository', 'a folder without one'])(
  'RW-5 over the wire a rewind restores what a run changed in %s, and an un-rewind puts it back',
  async (kind) => {
    await using folder = await temporaryFolder()
    const root = join(folder.path, 'work')
    const at = (path: string) => join(root, path)
    await run('git', ['init', '--quiet', root])
    if (kind !== 'a repository') await rm(at('.git'), { recursive: true })
    await writeFile(at('notes.md'), 'before')
    await writeFile(at('mine.md'), 'before')
    const snapshots = createGitSnapshots({
      folder: join(folder.path, 'snapshots'),
      places: NOTHING_PROTECTED,
    })
    await using server = await startTestServer({
      store: 'sqlite',
      ports: { snapshots, hooks: [IDLE_HOOK] },
      workspaces: [root],
    })
    const started = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    server.provider.otherwise(() => {
      started.resolve()
      return reply({ text: ['Working', ', done.'], hold: { before: 1, until: written.promise } })
    })
    const call = caller(server)
    await call('session.create', { id: 'chat' })
    const parts = [{ type: 'text', text: 'Write' }]
    const { runId } = await call('session.send', { sessionId: 'chat', message: { id: 'first', parts } })
    await started.promise
    await Promise.all([writeFile(at('notes.md'), 'after'), writeFile(at('made.md'), 'made')])
    written.resolve()
    await callProcedure(
      server.url,
      { path: 'session.stream', type: 'subscription' },
      { sessionId: 'chat', runId },
    )
    await writeFile(at('mine.md'), 'since')

    const rewind = { sessionId: 'chat', messageId: 'first' }
    expect(await call('session.rewind', { ...rewind, preview: true })).toMatchObject({ files: { count: 2 } })
    expect(await call('session.rewind', rewind)).toMatchObject({ hidden: 1, files: { count: 2 } })
    expect(await readFile(at('notes.md'), 'utf8')).toBe('before')
    expect(await readFile(at('mine.md'), 'utf8')).toBe('since')
    await expect(readFile(at('made.md'))).rejects.toThrow('ENOENT')

    expect(await call('session.unrewind', { sessionId: 'chat' })).toMatchObject({ files: { count: 2 } })
    expect(await readFile(at('notes.md'), 'utf8')).toBe('after')
    expect(await readFile(at('made.md'), 'utf8')).toBe('made')
    expect(await readFile(at('mine.md'), 'utf8')).toBe('since')
    const { data } = await call('session.export', { sessionId: 'chat' }, 'query')
    expect(data).toContain('snapshot_id')
  },
)

function caller({ url }: TestServer) {
  return async (path: string, input: object, type: 'query' | 'mutation' = 'mutation') => {
    const { body } = await callProcedure(url, { path, type }, input)
    return JSON.parse(body).result.data
  }
}
