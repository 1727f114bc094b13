import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createScriptedProcesses, wrapNothing } from '@palimpsest/testing/scripted-processes.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { OUTPUT_LIMITS } from '../../ports/index.ts'
import { ToolError, type ToolResult } from '../tool.ts'
import { bashOutputTool, bashStopTool } from './background-tools.ts'
import { bashTool } from './bash.ts'
import { createShell } from './shell.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

function openLab({ outputPath = null }: { outputPath?: string | null } = {}) {
  const { processes, started } = createScriptedProcesses({}, outputPath)
  const clock = createFakeClock()
  const shell = createShell({
    sandbox: { info: { kind: 'bwrap' }, probe: async () => ({ kind: 'bwrap' }), wrap: wrapNothing },
    processes,
    clock,
    logger: silentLogger,
  })
  const stop = new AbortController()
  const shown: ToolResult[] = []
  const runtime = toolRuntime({
    shell,
    clock,
    signal: stop.signal,
    progress: (result) => void shown.push(result),
  })
  const bash = (args: object) => bashTool.execute(bashTool.input.parse({ command: 'x', ...args }), runtime)
  const output = (args: object) => bashOutputTool.execute(bashOutputTool.input.parse(args), runtime)
  const end = (id: string) => bashStopTool.execute({ id }, runtime)
  /** A command in the background, after the first look at it. */
  async function inBackground(before: () => void = () => undefined) {
    const result = bash({ background: true })
    before()
    await settle()
    clock.advance(500)
    const { data, text } = await result
    return { text, data, id: String(data && 'processId' in data ? data.processId : '') }
  }
  return { bash, output, end, inBackground, started, clock, shell, stop, shown, runtime }
}

test('TO-1 a command returns its output and its exit code', async () => {
  const { bash, started } = openLab()
  const result = bash({})
  started[0]?.print('one\n')
  started[0]?.print('two\n\n')
  started[0]?.exit({ code: 0 })
  expect(await result).toEqual({ text: 'one\ntwo', data: { exitCode: 0 } })
})

test.for([
  [{ code: 0 }, '', '(no output)', { exitCode: 0 }],
  [{ code: 2 }, '', '[exit code 2]', { exitCode: 2 }],
  [{ code: 1 }, 'oops\n', 'oops\n[exit code 1]', { exitCode: 1 }],
  [{ signal: 'SIGKILL' }, 'x', 'x\n[ended by SIGKILL]', { exitCode: null, signal: 'SIGKILL' }],
  [{}, '', '[ended by a failure]', { exitCode: null }],
] as const)('TO-1 a command that ends with %j after %j is described', async ([exit, printed, text, data]) => {
  const { bash, started } = openLab()
  const result = bash({})
  started[0]?.print(printed)
  started[0]?.exit(exit)
  expect(await result).toMatchObject({ text, data })
})

test.for([
  ['/w/.log', ' All of it: /w/.log', { outputPath: '/w/.log' }],
  [null, '', {}],
] as const)(
  'TO-3 a long output is its head, with the file that holds all of it where there is one: %s',
  async ([outputPath, way, more]) => {
    const { bash, started } = openLab({ outputPath })
    const result = bash({})
    started[0]?.print('x'.repeat(OUTPUT_LIMITS.head + 5))
    started[0]?.exit({ code: 0 })
    expect(await result).toMatchObject({
      text: `${'x'.repeat(OUTPUT_LIMITS.head)}\n[Only the beginning of ${OUTPUT_LIMITS.head + 5} characters.${way}]`,
      data: { exitCode: 0 },
      truncated: true,
      ...more,
    })
  },
)

test('TO-1 a command over its time is ended, and the error quotes the last 4,000 characters of its output', async () => {
  const { bash, started, clock } = openLab()
  const result = bash({ timeout: 1_500 })
  const failed = expect(result).rejects.toThrow(
    new ToolError(
      `The command took longer than 1.5 s and was ended. The end of its output:\n${'b'.repeat(4_000)}`,
    ),
  )
  started[0]?.print(`aaaa${'b'.repeat(4_000)}`)
  clock.advance(1_499)
  expect(started[0]?.ends).toBe(0)
  clock.advance(1)
  await failed
  expect(started[0]?.ends).toBeGreaterThan(0)
  expect(started[0]?.forgotten).toBe(1)
})

test('TO-4 an abort ends the command, also one that came before its start', async () => {
  const { bash, started, stop } = openLab()
  const running = bash({})
  stop.abort()
  expect(await running).toMatchObject({ data: { signal: 'SIGTERM' } })
  const late = bash({})
  expect(started[1]?.ends).toBeGreaterThan(0)
  expect(await late).toMatchObject({ data: { signal: 'SIGTERM' } })
})

test('TO-4 once a command has ended, no timer of it is left and a later abort ends nothing', async () => {
  const { bash, started, stop, clock } = openLab()
  const result = bash({})
  started[0]?.print('x')
  started[0]?.exit({ code: 0 })
  await result
  await settle()
  expect(clock.pending).toBe(0)
  const { ends = 0 } = started[0] ?? {}
  stop.abort()
  expect(started[0]?.ends).toBe(ends)
})

test('TO-1 a person sees the end of a running output four times a second, and after 30 s once', async () => {
  const { bash, started, clock, shown } = openLab()
  const result = bash({})
  clock.advance(1_000)
  expect(shown).toEqual([])
  started[0]?.print('a')
  started[0]?.print('b')
  clock.advance(249)
  expect(shown).toEqual([])
  clock.advance(1)
  expect(shown).toEqual([{ text: 'ab', data: { running: true } }])
  clock.advance(30_000)
  expect(shown).toHaveLength(1)
  started[0]?.print('c'.repeat(OUTPUT_LIMITS.tail))
  clock.advance(999)
  expect(shown).toHaveLength(1)
  clock.advance(1)
  expect(shown.at(-1)?.text).toBe('c'.repeat(OUTPUT_LIMITS.tail))
  started[0]?.exit({ code: 0 })
  await result
})

test('TO-1 a command that could not be started reveals no internals', async () => {
  const { bash, started } = openLab()
  const result = bash({})
  started[0]?.fail(new Error('spawn /srv/secret/bwrap ENOENT'))
  await expect(result).rejects.toThrow(new ToolError('The command could not be started.'))
})

test('TO-1 without a shell, without a folder and with too many commands nothing is started', async () => {
  const { bash, runtime, shell, started } = openLab()
  for (const background of [true, false]) {
    const args = { command: 'x', timeout: 1, background }
    await expect(bashTool.execute(args, { ...runtime, shell: null })).rejects.toThrow('runs no commands')
    await expect(bashTool.execute(args, { ...runtime, workspaceRoot: null })).rejects.toThrow('not allowed')
  }
  expect(started).toEqual([])
  for (let at = 0; at < 8; at += 1)
    shell.startInBackground({ line: 'x', root: '/w', sessionId: 'ses_1', access: 'write' })
  await expect(bash({ background: true })).rejects.toThrow('Too many commands are running')
  await shell.end()
  await expect(bash({})).rejects.toThrow('Too many commands are running')
})

test('TO-1 the tool’s own limit is above that of the command, so that its end can be reported', () => {
  expect(bashTool.timeoutMs?.(bashTool.input.parse({ command: 'x' }))).toBe(125_000)
  expect(bashTool.timeoutMs?.(bashTool.input.parse({ command: 'x', timeout: 600_000 }))).toBe(605_000)
})

test.for([
  { command: '' },
  { command: 'x'.repeat(20_001) },
  { command: 'ls\0rm' },
  { command: 'x', timeout: 0 },
  { command: 'x', timeout: 600_001 },
  { command: 'x', timeout: 1.5 },
])('TO-1 a command line out of bounds is a bad argument', (args) => {
  expect(bashTool.input.safeParse(args).success).toBe(false)
})

test('TO-1 a command in the background returns its id after the first look, with what it has printed', async () => {
  const { inBackground, started } = openLab()
  const { text, data, id } = await inBackground(() => started[0]?.print('ready\n'))
  expect(text).toBe(`It runs in the background; its id is ${id}.\nready`)
  expect(data).toEqual({ processId: id, running: true })
})

test('TO-1 a command in the background that fails at once is reported as ended', async () => {
  const { inBackground, started } = openLab()
  const { text, data, id } = await inBackground(() => started[0]?.exit({ code: 127 }))
  expect(text).toBe(`It has ended (exit code 127); its id is ${id}.`)
  expect(data).toEqual({ processId: id, running: false })
  expect(started[0]?.forgotten).toBe(1)
})

test('TO-4 a command in the background outlives the run that started it', async () => {
  const { inBackground, started, stop } = openLab()
  await inBackground()
  stop.abort()
  expect(started[0]?.ends).toBe(0)
})

test('TO-4 a command in the background ends with its call when that is aborted before the model has its id', async () => {
  const { bash, started, stop, shell } = openLab()
  const aborted = expect(bash({ background: true })).rejects.toThrow('aborted')
  await settle()
  stop.abort()
  await settle()
  expect(started[0]?.ends).toBeGreaterThan(0)
  started[0]?.exit({ signal: 'SIGTERM' })
  await aborted
  expect(shell.list('ses_1')).toMatchObject([{ exit: { signal: 'SIGTERM' } }])
})

test('TO-1 an output is read on from the character that the last reading named', async () => {
  const { inBackground, started, output } = openLab()
  const { id } = await inBackground(() => started[0]?.print('one\n'))
  expect(await output({ id })).toEqual({
    text: 'one\n[running; read on from 4]',
    data: { processId: id, running: true, from: 4 },
  })
  expect((await output({ id, from: 4 })).text).toBe('(no new output)\n[running; read on from 4]')
  started[0]?.print('two')
  started[0]?.exit({ code: 0 })
  await settle()
  expect(await output({ id, from: 4 })).toEqual({
    text: 'two\n[exit code 0; read on from 7]',
    data: { processId: id, running: false, from: 7 },
  })
})

test('TO-3 characters that are no longer held are counted, and a reading is never over 200,000 bytes', async () => {
  const { inBackground, started, output } = openLab()
  const { id } = await inBackground(() => started[0]?.print('a'.repeat(250_000)))
  expect((await output({ id, from: 10 })).text.split('\n')[0]).toBe(
    '[49990 characters before it are no longer held]',
  )
  started[0]?.print('ü'.repeat(200_000))
  const cut = await output({ id, from: 250_000 })
  expect(cut).toMatchObject({ truncated: true, data: { from: 350_000 } })
  const rest = await output({ id, from: 350_000 })
  expect(rest.data).toMatchObject({ from: 450_000 })
  expect(rest.truncated).toBeUndefined()
})

test('TO-4 bash_stop ends a command once', async () => {
  const { inBackground, started, end } = openLab()
  const { id } = await inBackground()
  expect(await end(id)).toEqual({ text: 'It is ended.', data: { processId: id, running: false } })
  expect(started[0]?.ends).toBeGreaterThan(0)
  expect((await end(id)).text).toBe('It had ended before.')
})

test('PE-4 the tools for the background have only the commands of their session', async () => {
  const { inBackground, runtime, started } = openLab()
  const { id } = await inBackground()
  const strangers = [
    { ...runtime, sessionId: 'ses_2' },
    { ...runtime, shell: null },
  ]
  for (const stranger of strangers) {
    await expect(bashOutputTool.execute({ id, from: 0 }, stranger)).rejects.toThrow(
      'no command in the background',
    )
    await expect(bashStopTool.execute({ id }, stranger)).rejects.toThrow('no command in the background')
  }
  expect(started[0]?.ends).toBe(0)
})
