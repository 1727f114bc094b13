import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolWords } from '../messages/en-parts.ts'
import { toolCall } from '../testing/samples.ts'
import { changeOf } from './change-of.ts'
import {
  failedExit,
  isRecord,
  outputSoFar,
  outputText,
  shownOutput,
  type ToolPart,
  toJson,
  toolState,
  toolTarget,
  toolTitle,
} from './tool-part.ts'

const { titles } = toolWords
const done = (name: string, output: unknown): ToolPart => toolCall(name, {}, output)
const running = (name: string, output: unknown): ToolPart => ({
  type: 'dynamic-tool',
  toolName: name,
  toolCallId: 'c',
  state: 'output-available',
  input: {},
  output,
  preliminary: true,
})

test.each([
  ['a path comes before a command', { command: 'make', path: 'a.ts' }, 'a.ts'],
  ['a pattern comes before a path', { path: '.', pattern: 'gall' }, 'gall'],
  ['a pattern comes before a file', { pattern: '*.ts', file: 'b.ts' }, '*.ts'],
  ['a command comes before a query', { query: 'ink', command: 'ls' }, 'ls'],
  ['a pattern comes before a url', { url: 'https://x.example', pattern: 'gall' }, 'gall'],
  ['a name comes before an id', { id: '7', name: 'seven' }, 'seven'],
  ['an empty path is passed over', { path: '', command: 'ls' }, 'ls'],
  ['a path that is no text is passed over', { path: 3, query: 'ink' }, 'ink'],
  ['an unknown argument is no target', { amount: 'much' }, ''],
  ['the first question is that of all', { questions: [{ question: 'One?' }, { question: 'Two?' }] }, 'One?'],
  ['a question without text is no target', { questions: [{ question: 1 }] }, ''],
  ['an empty list of questions is no target', { questions: [] }, ''],
  ['text alone is the target', 'free text', 'free text'],
  ['a list is no target', ['a.ts'], ''],
  ['nothing is no target', null, ''],
])('UI-9 in the line of a call %s', (_, input, target) => {
  expect(toolTarget(toolCall('odd', input))).toBe(target)
})

test('UI-9 an argument of the prototype is no target', () => {
  expect(toolTarget(toolCall('odd', { __proto__: { amount: 1 } }))).toBe('')
  expect(toolTarget(toolCall('odd', JSON.parse('{"__proto__":{"path":"a.ts"}}')))).toBe('')
})

test.each(Object.entries(titles))('UI-9 a call of %s says what it does until it has', (name, title) => {
  expect(toolTitle(toolCall(name, {}), titles)).toBe(title.name)
  expect(toolTitle(running(name, 'so far'), titles)).toBe(title.name)
  expect(toolTitle(done(name, 'all'), titles)).toBe(title.done)
})

test('UI-9 a command that runs on in the background has been started, one that ended at once was run', () => {
  const output = (on: boolean) => ({ text: 'ready', data: { processId: 'p', running: on } })
  expect(toolTitle(done('bash', output(true)), titles)).toBe('Started')
  expect(toolTitle(done('bash', output(false)), titles)).toBe('Ran')
  expect(toolTitle(running('bash', output(true)), titles)).toBe('Run')
  expect(toolTitle(done('read', output(true)), titles)).toBe('Read')
})

test('UI-9 a call that failed does not claim to have done anything', () => {
  const base = { type: 'dynamic-tool', toolName: 'write', toolCallId: 'c', input: {} } as const
  expect(toolTitle({ ...base, state: 'output-error', errorText: 'No' }, titles)).toBe('Write')
  const approval = { id: 'a', approved: false } as const
  expect(toolTitle({ ...base, state: 'output-denied', approval }, titles)).toBe('Write')
})

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'my_tool'])(
  'UI-9 a tool that is called %s has its name as its title',
  (name) => {
    expect(toolTitle(done(name, 'x'), titles)).toBe(name)
    expect(toolTitle(toolCall(name, {}), titles)).toBe(name)
  },
)

test('UI-9 a call that was allowed and has not ended runs, a question whose answer arrived too', () => {
  const approval = { id: 'a', approved: true } as const
  const part: ToolPart = {
    type: 'dynamic-tool',
    toolName: 'question',
    toolCallId: 'c',
    input: {},
    state: 'approval-responded',
    approval,
  }
  expect(toolState(part, true)).toBe('running')
  expect(toolState(toolCall('question', {}), true)).toBe('waiting')
  expect(toolState(toolCall('question', {}), false)).toBe('stopped')
})

test('UI-9 a call whose output is still growing runs, and stops with its message', () => {
  expect(toolState(running('bash', 'a'), true)).toBe('running')
  expect(toolState(running('bash', 'a'), false)).toBe('stopped')
  expect(toolState(done('bash', 'a'), true)).toBe('done')
})

test('UI-9 only a growing output counts as said so far', () => {
  expect(outputSoFar(running('bash', { text: 'half' }))).toBe('half')
  expect(outputSoFar(done('bash', { text: 'all' }))).toBeNull()
  expect(outputSoFar(toolCall('bash', {}))).toBeNull()
})

test.each([
  ['bash', 'red'],
  ['bash_output', 'red'],
  ['read', '\u001B[31mred\u001B[0m'],
])('UI-9 the output of %s loses terminal sequences only where a terminal wrote it', (name, shown) => {
  const output = { text: '\u001B[31mred\u001B[0m' }
  expect(shownOutput(done(name, output), output)).toBe(shown)
})

test.each([
  [{ data: { exitCode: 1 } }, 1],
  [{ data: { exitCode: 127 } }, 127],
  [{ data: { exitCode: -9 } }, -9],
  [{ data: { exitCode: 0 } }, null],
  [{ data: { exitCode: '1' } }, null],
  [{ data: { exitCode: null } }, null],
  [{ data: [1] }, null],
  [{ exitCode: 1 }, null],
  ['exitCode 1', null],
  [null, null],
])('UI-9 of the output %j the exit code of a failure is %s', (output, code) => {
  expect(failedExit(done('bash', output))).toBe(code)
})

test('UI-9 a call without output has no exit code', () => {
  expect(failedExit(toolCall('bash', { command: 'ls' }))).toBeNull()
})

test('UI-9 a result without text is its JSON, and null and lists are', () => {
  expect(outputText(null)).toBe('null')
  expect(outputText({ text: 4 })).toBe('{\n  "text": 4\n}')
  expect(outputText({ text: '' })).toBe('')
  expect(outputText(true)).toBe('true')
  expect(toJson(undefined)).toBe('')
  expect(toJson(() => 1)).toBe('')
})

test('UI-9 a record is an object that is no list', () => {
  expect([{}, Object.create(null)].every(isRecord)).toBe(true)
  expect([null, undefined, [], 'text', 1, true, () => 1].some(isRecord)).toBe(false)
})

test('UI-9 whatever JSON a call returned, its text, exit code and change can be read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (output, isRunning) => {
      const part = isRunning ? running('bash', output) : done('bash', output)
      expect(typeof shownOutput(part, output)).toBe('string')
      expect([null, 'number']).toContain(failedExit(part) === null ? null : 'number')
      expect(changeOf(part) === null || typeof changeOf(part)?.diff === 'string').toBe(true)
    }),
  )
})

test('UI-9 the JSON of a result says all of it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (output) => {
      expect(JSON.parse(toJson(output))).toEqual(JSON.parse(JSON.stringify(output)))
    }),
  )
})

const change = { path: 'a.ts', diff: '@@ -1 +1 @@\n-a\n+b\n', added: 1, removed: 1 }

test('UI-9 the change of a call is its path, its difference and its counts', () => {
  const output = { text: 'ok', data: { change: { ...change, more: 'x' } } }
  expect(changeOf(done('edit', output))).toEqual(change)
})

test('UI-9 a change says that a file is new or that it is cut only when the call did', () => {
  const of = (facts: object) => changeOf(done('write', { data: { change: { ...change, ...facts } } }))
  expect(of({ created: true, truncated: true })).toEqual({ ...change, created: true, truncated: true })
  expect(of({ created: false, truncated: 0 })).toEqual(change)
  expect(of({ created: 'true', truncated: 1 })).toEqual(change)
})

test.each([
  ['a path', { path: 1 }],
  ['a difference', { diff: null }],
  ['a count of added lines', { added: '1' }],
  ['a count of removed lines', { removed: undefined }],
])('UI-9 a change without %s is none', (_, facts) => {
  expect(changeOf(done('edit', { data: { change: { ...change, ...facts } } }))).toBeNull()
})

test.each([
  ['text', 'changed'],
  ['no data', { text: 'ok' }],
  ['data in a list', { data: [change] }],
  ['a change in a list', { data: { change: [change] } }],
  ['a change beside its data', { change }],
])('UI-9 an output of %s has no change', (_, output) => {
  expect(changeOf(done('edit', output))).toBeNull()
})

test('UI-9 a call that has not ended well has no change', () => {
  const base = { type: 'dynamic-tool', toolName: 'edit', toolCallId: 'c', input: {} } as const
  expect(changeOf({ ...base, state: 'output-error', errorText: 'No' })).toBeNull()
  expect(changeOf(toolCall('edit', { change }))).toBeNull()
})

test('MC-2 the call of a tool of an MCP server names the server and the tool', () => {
  const call = { type: 'tool-git_log', toolCallId: 'c', state: 'input-available', input: {} } as const
  const titled = (toolMetadata: NonNullable<ToolPart['toolMetadata']>) =>
    toolTitle({ ...call, toolMetadata }, {})
  expect(titled({ mcp: { server: 'git', tool: 'log' } })).toBe('git: log')
  expect(titled({ mcp: { server: 3 } })).toBe('git_log')
  expect(titled({ mcp: 'git' })).toBe('git_log')
})
