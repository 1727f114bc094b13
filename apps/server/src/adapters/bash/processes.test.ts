import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import type { ProcessCommand, RunningProcess } from '@palimpsest/core/ports'
import { wrapNothing } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { NO_GUARD, NO_RECORDS } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { commandEnvironment } from './command-environment.ts'
import { MARK, OWNER, processesWith } from './marked-processes.ts'
import { createProcesses } from './processes.ts'

async function openLab() {
  const folder = await temporaryFolder()
  const owner = `test-${crypto.randomUUID()}`
  const settings = {
    clock: systemClock,
    outputs: join(folder.path, 'outputs'),
    owner,
    guard: NO_GUARD,
    writing: NO_RECORDS,
  }
  const processes = createProcesses(settings)
  const mark = `${owner}-call`
  return {
    path: folder.path,
    owner,
    mark,
    processes,
    start(line: string, { cwd = folder.path, ...more }: Partial<ProcessCommand> & { cwd?: string } = {}) {
      const argv = ['/bin/bash', '--noprofile', '--norc', '-c', line]
      const wrap = () => wrapNothing(argv, { root: cwd, access: 'write' })
      return processes.start({ wrap, variables: {}, mark, ...more })
    },
    async [Symbol.asyncDispose]() {
      await processes.endOrphans()
      await folder[Symbol.asyncDispose]()
    },
  }
}

async function outputOf(running: RunningProcess): Promise<{ text: string; code: number | null }> {
  let text = ''
  running.onOutput((piece) => {
    text += piece
  })
  const { code } = await running.exited
  return { text, code }
}

/** Resolves with what the command has said, once it says so much. */
function saying(running: RunningProcess, sign: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    running.onOutput((piece) => {
      text += piece
      if (text.includes(sign)) resolve(text)
    })
  })
}

test('TO-4 a command gives its output in order, errors among it, and its exit code', async () => {
  await using lab = await openLab()
  const { text, code } = await outputOf(lab.start('echo a; echo b >&2; echo ü; exit 3'))
  expect({ text, code }).toEqual({ text: 'a\nb\nü\n', code: 3 })
})

test('TO-4 a command that leaves something running ends when it exits, and ending it ends that too', async () => {
  await using lab = await openLab()
  const since = performance.now()
  const running = lab.start('sleep 300 & setsid sleep 301 & (setsid sleep 302 &) ; echo done')
  expect(await outputOf(running)).toEqual({ text: 'done\n', code: 0 })
  expect(performance.now() - since).toBeLessThan(5_000)
  expect((await processesWith(MARK, lab.mark)).length).toBeGreaterThan(0)
  await running.end()
  expect(await processesWith(MARK, lab.mark)).toEqual([])
})

test('TO-4 what ignores the request to end is killed within two seconds', async () => {
  await using lab = await openLab()
  const running = lab.start(
    "trap '' TERM; (trap '' TERM; setsid bash -c 'trap \"\" TERM; sleep 300' &) ; echo on; sleep 300; sleep 300",
  )
  await saying(running, 'on')
  const since = performance.now()
  await running.end()
  // 0.9 s on an idle machine; a busy one takes longer to start and search.
  expect(performance.now() - since).toBeLessThan(4_000)
  expect(await processesWith(MARK, lab.mark)).toEqual([])
  expect((await running.exited).code).toBeNull()
})

test('TO-4 a command reads no input and has no terminal', async () => {
  await using lab = await openLab()
  const { text } = await outputOf(
    lab.start('cat; read x; echo "[$x]"; echo y 2>/dev/null > /dev/tty || echo none'),
  )
  expect(text).toBe('[]\nnone\n')
})

test('TO-3 the whole of a long output is in a file, and output without end ends its command', async () => {
  await using lab = await openLab()
  const long = lab.start('seq 1 100000')
  const { text } = await outputOf(long)
  expect(long.outputPath).toBe(join(lab.path, 'outputs', `${lab.mark}.txt`))
  expect(await readFile(long.outputPath ?? '', 'utf8')).toBe(text)
  expect((await stat(long.outputPath ?? '')).mode & 0o777).toBe(0o600)
  expect(Buffer.from((await long.readOutput(1_000_000)) ?? []).toString()).toBe(text)
  expect(await long.readOutput(1_000)).toBeNull()
  await long.forgetOutput()
  await expect(stat(long.outputPath ?? '')).rejects.toMatchObject({ code: 'ENOENT' })
  const endless = lab.start('yes 0123456789012345678901234567890123456789', { mark: `${lab.mark}2` })
  endless.onOutput(() => undefined)
  expect((await endless.exited).signal).not.toBeNull()
  expect((await stat(endless.outputPath ?? '')).size).toBeLessThanOrEqual(100_000_000)
  const short = lab.start('echo a', { mark: `${lab.mark}3` })
  await outputOf(short)
  expect(short.outputPath).toBeNull()
  expect(await short.readOutput(1_000)).toBeNull()
  await short.forgetOutput()
})

test('SX-13 of the server’s environment a command gets a short list', async () => {
  const server = {
    PATH: 'bin:/usr/bin:/x/node_modules/.bin:/bin',
    HOME: '/home/a',
    OPENAI_API_KEY: 'sk-1',
    PALIMPSEST_TOKEN: 'token',
    BASH_ENV: '/x',
    'BASH_FUNC_ls%%': '() { id; }',
    LD_PRELOAD: '/x',
    NODE_OPTIONS: '--require /x',
    GIT_DIR: '/x',
    SSH_AUTH_SOCK: '/x',
  }
  const given = commandEnvironment({ MORE: '1' }, { ...server, NODE_ENV: 'test' })
  expect(given).toMatchObject({ PATH: '/usr/bin:/bin', HOME: '/home/a', MORE: '1', CI: '1', PAGER: 'cat' })
  const kept = Object.keys(server).filter((name) => name in given)
  expect(kept).toEqual(['PATH', 'HOME'])
})

test('TO-4 what an earlier process of the server left running is ended by the next one', async () => {
  await using lab = await openLab()
  const running = lab.start('setsid sleep 300 & echo on; wait; :')
  await saying(running, 'on')
  expect((await processesWith(OWNER, lab.owner)).length).toBeGreaterThan(0)
  await createProcesses({
    clock: systemClock,
    outputs: lab.path,
    owner: lab.owner,
    guard: NO_GUARD,
    writing: NO_RECORDS,
  }).endOrphans()
  expect(await processesWith(OWNER, lab.owner)).toEqual([])
  await running.exited
})

test('TO-4 a command that cannot be started fails, and ending it does nothing', async () => {
  await using lab = await openLab()
  const running = lab.start('echo a', { cwd: join(lab.path, 'missing') })
  await expect(running.exited).rejects.toThrow()
  await running.end()
})
