import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createScriptedProcesses, wrapNothing } from '@palimpsest/testing/scripted-processes.ts'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../ports/index.ts'
import { createShell } from './shell.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

function openLab() {
  const { processes, started } = createScriptedProcesses()
  const clock = createFakeClock()
  const warned: string[] = []
  const sandbox: Sandbox = {
    info: { kind: 'bwrap' },
    probe: async () => ({ kind: 'bwrap' }),
    wrap: async (argv, place) => ({
      ...(await wrapNothing(argv, place)),
      argv: ['bwrap', place.access, place.root, ...argv],
    }),
  }
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warned.push(message) }
  const shell = createShell({ sandbox, processes, clock, logger })
  const start = (line = 'x', sessionId = 'ses_1') =>
    shell.start({ line, root: '/w', access: 'write', sessionId })
  const inBackground = (line = 'x', sessionId = 'ses_1') =>
    shell.startInBackground({ line, root: '/w', access: 'write', sessionId })
  return { shell, started, clock, warned, start, inBackground }
}

test('PE-4 a line is one argument of bash in the sandbox, in the workspace, with a mark of its own', async () => {
  const { start, started } = openLab()
  start('echo "$HOME"; $(id)')
  start('ls')
  expect(started[0]?.command).toMatchObject({ variables: {}, mark: expect.stringMatching(/^prc_/) })
  expect(await started[0]?.command.wrap()).toMatchObject({
    argv: ['bwrap', 'write', '/w', '/bin/bash', '--noprofile', '--norc', '-c', 'echo "$HOME"; $(id)'],
    cwd: '/w',
  })
  expect(started[1]?.command.mark).not.toBe(started[0]?.command.mark)
})

test('PE-7 git gets variables with which it starts nothing only where a command may only read', () => {
  const { shell, started } = openLab()
  for (const access of ['read', 'write'] as const)
    for (const line of ['git diff | head', 'ls'])
      shell.start({ line, root: '/w', access, sessionId: 'ses_1' })
  expect(started.map(({ command }) => command.variables['GIT_CONFIG_GLOBAL'])).toEqual([
    '/dev/null',
    undefined,
    undefined,
    undefined,
  ])
})

test('TO-4 what a command left running is ended once it has exited, also when it could not be started', async () => {
  const { start, started, warned } = openLab()
  start()
  start()
  started[0]?.exit({ code: 0 })
  started[1]?.fail(new Error('ENOENT'))
  await settle()
  expect(started.map(({ ends }) => ends)).toEqual([1, 1])
  expect(warned).toEqual([])
})

test('TO-3 a host runs at most 200 commands at once, and a place is free once one is gone', async () => {
  const { start, started, inBackground } = openLab()
  for (let at = 0; at < 200; at += 1) expect(start()).not.toBeNull()
  expect(start()).toBeNull()
  expect(inBackground('x', 'ses_other')).toBeNull()
  started[7]?.exit({ code: 0 })
  await settle()
  expect(start()).not.toBeNull()
  expect(start()).toBeNull()
})

test('TO-3 a session has at most 8 commands in the background, and others have theirs', async () => {
  const { inBackground, started, start } = openLab()
  for (let at = 0; at < 8; at += 1) expect(inBackground()).not.toBeNull()
  expect(inBackground()).toBeNull()
  expect(inBackground('x', 'ses_2')).not.toBeNull()
  expect(start()).not.toBeNull()
  started[0]?.exit({ code: 1 })
  await settle()
  expect(inBackground()).not.toBeNull()
})

test('TO-1 background commands are listed for their session, the last started first, with start and exit', async () => {
  const { shell, inBackground, started, clock } = openLab()
  const first = inBackground('first')
  clock.advance(5)
  const second = inBackground('second')
  inBackground('third', 'ses_2')
  started[0]?.exit({ code: 3 })
  await settle()
  expect(shell.list('ses_1')).toEqual([
    { ...second, exit: null },
    { ...first, exit: { code: 3, signal: null } },
  ])
  expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBe(5)
  expect(shell.list(null).map(({ command }) => command)).toEqual(['third', 'second', 'first'])
  expect(shell.list('ses_3')).toEqual([])
})

test('TO-1 a listed command is a copy: what a reader does to it changes nothing', () => {
  const { shell, inBackground } = openLab()
  const { id = '' } = inBackground('x') ?? {}
  for (const copy of [...shell.list('ses_1'), shell.read('ses_1', id, 0)?.command])
    if (copy) copy.command = 'y'
  expect(shell.list('ses_1')).toMatchObject([{ command: 'x' }])
})

test('TO-1 a command that could not be started has ended, without a code', async () => {
  const { shell, inBackground, started } = openLab()
  inBackground()
  started[0]?.fail(new Error('ENOENT'))
  await settle()
  expect(shell.list('ses_1')).toMatchObject([{ exit: { code: null, signal: null } }])
})

test('TO-3 of the ended commands of a session the last 20 are kept, and those of others stay', async () => {
  const { shell, inBackground, started } = openLab()
  inBackground('other', 'ses_2')
  started[0]?.exit({ code: 0 })
  inBackground('runs')
  for (let at = 0; at < 25; at += 1) {
    inBackground(`${at}`)
    started.at(-1)?.exit({ code: 0 })
    await settle()
  }
  const listed = shell.list('ses_1').map(({ command }) => command)
  expect(listed).toHaveLength(21)
  expect(listed.at(0)).toBe('24')
  expect(listed.slice(-2)).toEqual(['5', 'runs'])
  expect(shell.list('ses_2')).toHaveLength(1)
})

test('TO-1 an output is read on from where the last reading ended', () => {
  const { shell, inBackground, started } = openLab()
  const { id = '' } = inBackground() ?? {}
  expect(shell.read('ses_1', id, 0)).toMatchObject({ text: '', from: 0, length: 0 })
  started[0]?.print('one ')
  started[0]?.print('two')
  expect(shell.read('ses_1', id, 0)).toMatchObject({ text: 'one two', from: 0, length: 7 })
  expect(shell.read('ses_1', id, 4)).toMatchObject({ text: 'two', from: 4 })
  expect(shell.read('ses_1', id, 7)).toMatchObject({ text: '', from: 7 })
})

test('TO-3 of a long output the last 200,000 characters are held, and a reading says where it begins', () => {
  const { shell, inBackground, started } = openLab()
  const { id = '' } = inBackground() ?? {}
  started[0]?.print('a'.repeat(150_000))
  started[0]?.print('b'.repeat(150_000))
  const read = shell.read('ses_1', id, 0)
  expect(read).toMatchObject({ from: 100_000, length: 300_000 })
  expect(read?.text).toHaveLength(200_000)
  expect(shell.read('ses_1', id, 299_999)?.text).toBe('b')
})

test('PE-4 a session neither reads nor stops the command of another', async () => {
  const { shell, inBackground, started } = openLab()
  const { id = '' } = inBackground('x', 'ses_1') ?? {}
  expect(shell.read('ses_2', id, 0)).toBeNull()
  expect(await shell.stop('ses_2', id)).toBe(false)
  expect(started[0]?.ends).toBe(0)
  expect(shell.read('ses_1', 'prc_unknown', 0)).toBeNull()
})

test('TO-4 a command is stopped once, and is listed as ended by a signal', async () => {
  const { shell, inBackground } = openLab()
  const { id = '' } = inBackground() ?? {}
  expect(await shell.stop('ses_1', id)).toBe(true)
  expect(await shell.stop('ses_1', id)).toBe(false)
  expect(shell.read('ses_1', id, 0)?.command.exit).toEqual({ code: null, signal: 'SIGTERM' })
})

test('TO-4 the end of a session ends its commands and forgets them, and no others', async () => {
  const { shell, inBackground, started } = openLab()
  const { id = '' } = inBackground() ?? {}
  inBackground('other', 'ses_2')
  await shell.endSession('ses_1')
  expect(started.map(({ ends }) => ends > 0)).toEqual([true, false])
  expect(shell.read('ses_1', id, 0)).toBeNull()
  expect(shell.list(null)).toHaveLength(1)
  await expect(shell.endSession('ses_1')).resolves.toBeUndefined()
})

test('TO-4 the end of the shell ends every command, and none is started after it', async () => {
  const { shell, start, inBackground, started } = openLab()
  start()
  inBackground()
  await shell.end()
  expect(started.every(({ ends }) => ends > 0)).toBe(true)
  expect(start()).toBeNull()
  expect(inBackground()).toBeNull()
  expect(started).toHaveLength(2)
})

test('TO-4 a failure to end a command is logged, and its place is free again', async () => {
  const warned: string[] = []
  const { processes, started } = createScriptedProcesses()
  const shell = createShell({
    sandbox: { info: { kind: 'none' }, probe: async () => ({ kind: 'none' }), wrap: wrapNothing },
    processes: {
      ...processes,
      start: (command) => ({ ...processes.start(command), end: () => Promise.reject(new Error('EPERM')) }),
    },
    clock: createFakeClock(),
    logger: { ...silentLogger, warn: (_: object, message: string) => void warned.push(message) },
  })
  for (let at = 0; at < 200; at += 1) shell.start({ line: 'x', root: '/w', access: 'write', sessionId: 's' })
  started[0]?.exit({ code: 0 })
  await settle()
  expect(warned).toEqual(['A command could not be ended'])
  expect(shell.start({ line: 'x', root: '/w', access: 'write', sessionId: 's' })).not.toBeNull()
})
