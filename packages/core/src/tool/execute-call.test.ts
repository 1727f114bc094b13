import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { NO_SKILLS, toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toAiTools } from './ai-tools.ts'
import { createExecutor } from './execute-call.ts'
import { defineTool, FormNeeded, type Tool, ToolError, type ToolRuntime } from './tool.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

function openTools(...tools: Tool[]) {
  const clock = createFakeClock()
  const files = createMemoryFiles()
  const execute = createExecutor({
    sessionId: 'ses_1',
    workspaceRoot: '/w',
    files,
    shell: null,
    web: null,
    pdf: null,
    seen: () => null,
    skills: NO_SKILLS,
    keepFile: () => Promise.reject(new Error('No files here')),
    readOutput: () => Promise.resolve(null),
    webSearch: null,
    recall: () => Promise.resolve([]),
    memories: toolRuntime().memories,
    clock,
  })
  const stop = new AbortController()
  /** The output of a call; throws its error. */
  async function call(id: string, args: object = {}): Promise<unknown> {
    const called = tools.find((tool) => tool.id === id)
    if (called === undefined) throw new Error(`There is no tool ${id}`)
    const outcome = await execute(
      { toolCallId: 'call_1', tool: called, args, answers: [], shown: null, resumed: null, permitted: 'all' },
      stop.signal,
    )
    if (outcome.type === 'asks') return outcome.needed
    if (outcome.type === 'error') throw new Error(outcome.message)
    return outcome.output
  }
  return { clock, stop, call }
}

function tool(
  id: string,
  execute: (runtime: ToolRuntime) => Promise<{ text: string }>,
  more: Partial<Tool> = {},
) {
  const input = z.object({})
  return defineTool({
    id,
    description: id,
    input,
    requires: () => [],
    execute: (_, runtime) => execute(runtime),
    ...more,
  })
}

test('TO-1 a result comes in an envelope with the time that it took', async () => {
  const { clock, call } = openTools(
    tool('wait', async ({ clock }) => {
      await clock.sleep(250)
      return { text: 'Waited' }
    }),
  )
  const result = call('wait')
  clock.advance(250)
  expect(await result).toEqual({ type: 'output', text: 'Waited', metadata: { duration_ms: 250 } })
})

test('TO-1 the model gets the message of a ToolError, and of any other error only that the tool failed', async () => {
  const { call } = openTools(
    tool('fails', () => Promise.reject(new ToolError('Nothing there'))),
    tool('breaks', () => Promise.reject(new Error('ENOENT /srv/secret'))),
    tool('throws', () => {
      throw new TypeError('undefined is not a function')
    }),
  )
  await expect(call('fails')).rejects.toThrow('Nothing there')
  await expect(call('breaks')).rejects.toThrow(/^breaks failed\.$/)
  await expect(call('throws')).rejects.toThrow(/^throws failed\.$/)
})

test('TO-1 a call that takes too long is an error, and its tool’s signal aborts', async () => {
  const signals: AbortSignal[] = []
  const { clock, call } = openTools(
    tool('hangs', ({ signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }),
  )
  const failed = expect(call('hangs')).rejects.toThrow('hangs took longer than 120 s')
  clock.advance(120_000)
  await failed
  expect(signals[0]?.aborted).toBe(true)
})

test('TO-4 a stopped run reaches every tool, and one that does not watch is left behind', async () => {
  const { stop, call } = openTools(
    tool('watches', ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject))),
    tool('uncancellable', () => new Promise(() => undefined)),
  )
  const stopped = [expect(call('watches')).rejects.toThrow(), expect(call('uncancellable')).rejects.toThrow()]
  stop.abort()
  await Promise.all(stopped)
})

test('TO-4 a call that waited for its turn does not begin after the stop', async () => {
  const begun: string[] = []
  const serial = tool(
    'serial',
    () => {
      begun.push('call')
      return new Promise(() => undefined)
    },
    { parallel: false },
  )
  const { stop, call } = openTools(serial)
  const calls = Promise.allSettled([call('serial'), call('serial')])
  await settle()
  stop.abort()
  await calls
  expect(begun).toEqual(['call'])
})

test.for([
  { parallel: undefined, running: [1, 2] },
  { parallel: false as const, running: [1, 1] },
])('TO-7 calls of a tool with parallel: $parallel run $running at once', async ({ parallel, running }) => {
  const atOnce: number[] = []
  const gates: (() => void)[] = []
  let now = 0
  const counted = tool(
    'counted',
    async () => {
      now += 1
      atOnce.push(now)
      await new Promise<void>((resolve) => gates.push(resolve))
      now -= 1
      return { text: 'ok' }
    },
    parallel === undefined ? {} : { parallel },
  )
  const { call } = openTools(counted)
  const calls = [call('counted'), call('counted')]
  for (let turn = 0; turn < 2; turn++) {
    await settle()
    for (const open of gates.splice(0)) open()
  }
  await Promise.all(calls)
  expect(atOnce).toEqual(running)
})

test('TO-7 a failed call lets the next one have its turn', async () => {
  let count = 0
  const serial = tool(
    'serial',
    () => {
      count += 1
      return count === 1 ? Promise.reject(new ToolError('First')) : Promise.resolve({ text: 'Second' })
    },
    { parallel: false },
  )
  const { call } = openTools(serial)
  const [first, second] = await Promise.allSettled([call('serial'), call('serial')])
  expect(first).toMatchObject({ status: 'rejected' })
  expect(second).toMatchObject({ value: { text: 'Second' } })
})

test.for([
  undefined,
  null,
  'found',
  5,
  [],
  {},
  { text: 4 },
  { type: 'content', value: [{ type: 'file-url' }] },
])('RL-8 an output of %j that was imported is a text for the model', async (output) => {
  const set = toAiTools([tool('look', () => Promise.resolve({ text: '' }))])
  const sent = await set['look']?.toModelOutput?.({ toolCallId: 'call_1', input: {}, output })
  expect(sent).toEqual({ type: 'text', value: expect.any(String) })
})

test('MC-2 a call that needs a person ends with what it asks', async () => {
  const form = { server: 'lab', message: 'Why?', fields: [], round: 1, state: null }
  const { call } = openTools(
    tool('asks', () => Promise.reject(new FormNeeded(form, [{ question: 'Why?', options: [] }]))),
  )
  expect(await call('asks')).toMatchObject({ form, questions: [{ question: 'Why?' }] })
})
