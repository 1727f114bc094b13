// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolCall } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { LongText } from './long-text.tsx'
import { todoItems } from './todo-items.ts'
import { ToolCall } from './tool-call.tsx'
import { ToolGroup } from './tool-group.tsx'
import { outputText, type ToolPart, toolName, toolState, toolTarget } from './tool-part.ts'
import { WaitingCallsProvider } from './waiting-calls.ts'

const base = { type: 'dynamic-tool', toolName: 'bash', toolCallId: 'c1' } as const
const input = { command: 'make ink' }
const approval = { id: 'a1' }

const STATES: [ToolPart, live: string, settled: string][] = [
  [{ ...base, state: 'input-streaming', input: undefined }, 'Preparing', 'Stopped'],
  [{ ...base, state: 'input-available', input }, 'Running', 'Stopped'],
  [{ ...base, state: 'approval-requested', input, approval }, 'Waiting for you', 'Stopped'],
  [
    { ...base, state: 'approval-responded', input, approval: { ...approval, approved: true } },
    'Running',
    'Stopped',
  ],
  [{ ...base, state: 'output-available', input, output: 'done' }, 'Done', 'Done'],
  [{ ...base, state: 'output-error', input, errorText: 'No galls' }, 'Failed', 'Failed'],
  [
    { ...base, state: 'output-denied', input, approval: { ...approval, approved: false } },
    'Denied',
    'Denied',
  ],
]

test.each(STATES.map((row) => [row[0].state, ...row] as const))(
  'UI-9 a call in the state %s says so while its message is written, and once it is',
  (_, part, live, settled) => {
    using page = show(<ToolCall part={part} live />)
    expect(page.getByRole('button').textContent).toContain(live)
    page.rerender(<ToolCall part={part} live={false} />)
    expect(page.getByRole('button').textContent).toContain(settled)
  },
)

test('UI-9 UI-16 a call that asks while it runs waits for the person, and the call of a subagent leaves its state to its card', () => {
  const running: ToolPart = { ...base, state: 'input-available', input }
  const task: ToolPart = {
    ...running,
    toolName: 'task',
    toolCallId: 'c2',
    toolMetadata: { session_id: 'ses_child' },
  }
  const calls = (live: boolean) => (
    <WaitingCallsProvider value={new Set(['c1', 'ses_child'])}>
      <ToolCall part={running} live={live} />
      <ToolCall part={task} live={live} />
      <ToolCall part={{ ...running, toolCallId: 'c3' }} live={live} />
    </WaitingCallsProvider>
  )
  using page = show(calls(true))
  const said = () => page.getAllByRole('button').map(({ textContent }) => textContent.slice(-15))
  expect(said()).toEqual(['Waiting for you', expect.any(String), expect.stringContaining('Running')])
  page.rerender(calls(false))
  const [asked, , other] = said()
  for (const text of [asked, other]) expect(text).toContain('Stopped')
  expect(page.container.textContent.match(/Stopped/g)).toHaveLength(2)
})

test('UI-9 a line says what the call did, with its target, and its duration above one second', () => {
  using page = show(
    <ToolCall
      part={{ ...base, state: 'output-available', input, output: 'x' }}
      live={false}
      durationMs={1_200}
    />,
  )
  expect(page.getByRole('button').textContent).toBe('Ranmake inkDone1.2\u00A0s')
})

test.each([
  [toolCall('read', { path: 'README.md' }, 'x'), 'ReadREADME.mdDone'],
  [toolCall('todo', { todos: [] }, 'x'), 'Updated the to-do listDone'],
  [toolCall('todo', { items: [] }), 'Update the to-do listRunning'],
  [toolCall('constructor', {}, 'x'), 'constructorDone'],
])('UI-9 a call of 1 s or less shows no duration', (part, text) => {
  using page = show(<ToolCall part={part} live durationMs={1_000} />)
  expect(page.getByRole('button').textContent).toBe(text)
})

test('UI-9 the line of a command that runs on in the background says that it has been started', () => {
  const output = { text: 'ready', data: { processId: 'p1', running: true } }
  const part: ToolPart = { ...base, state: 'output-available', input, output }
  using page = show(<ToolCall part={part} live={false} durationMs={2_000} />)
  expect(page.getByRole('button').textContent).toMatch(/^Startedmake ink.*In the background$/)
})

test('UI-9 a call that has started a subagent links to its transcript while it works and once it has ended', () => {
  const call = { type: 'tool-task', toolCallId: 'c1', input: { prompt: 'Count the files' } } as const
  const working: ToolPart = { ...call, state: 'input-available', toolMetadata: { session_id: 'ses_1' } }
  using page = show(<ToolCall part={working} live />)
  const href = () => page.getByRole('link', { name: 'Open the subagent' }).getAttribute('href')
  expect([page.getByRole('button').textContent, href()]).toEqual([
    expect.stringContaining('Count the files'),
    '/s/ses_1',
  ])
  const output = { type: 'output', text: 'It works', data: { sessionId: 'ses_2' } }
  page.rerender(<ToolCall part={{ ...call, state: 'output-available', output }} live={false} />)
  expect(href()).toBe('/s/ses_2')
})

test('UI-9 a title that the tool gives is shown', () => {
  using page = show(<ToolCall part={{ ...base, title: 'Shell', state: 'input-available', input }} live />)
  expect(page.getByRole('button').textContent).toMatch(/^Shell/)
})

const opened = (part: ToolPart) => {
  const page = show(<ToolCall part={part} live={false} />)
  fireEvent.click(page.getByRole('button'))
  return page
}

test('UI-9 a call that failed opens to why', () => {
  using page = opened({ ...base, state: 'output-error', input, errorText: 'No galls' })
  expect(page.getByRole('region', { name: 'Error' }).textContent).toContain('No galls')
  expect(page.getByText('make ink', { selector: 'dd' })).toBeTruthy()
})

test.each([
  ['the reason', { reason: 'Not now.' }, 'Not now.'],
  ['that it was', {}, 'Denied'],
])('UI-9 a call that was denied opens to %s', (_, given, reason) => {
  using page = opened({
    ...base,
    state: 'output-denied',
    input,
    approval: { ...approval, approved: false, ...given },
  })
  expect(page.getByRole('region', { name: 'Denied' }).querySelector('pre')?.textContent).toBe(reason)
})

test('UI-9 an outcome without words says so', () => {
  using page = opened({ ...base, state: 'output-available', input, output: '' })
  expect(page.getByRole('region', { name: 'Result' }).querySelector('pre')?.textContent).toBe('Empty result')
})

test('UI-9 arguments are shown as they stream', () => {
  using page = show(<ToolCall part={{ ...base, state: 'input-streaming', input: undefined }} live />)
  fireEvent.click(page.getByRole('button'))
  expect(page.queryByRole('region', { name: 'Arguments' })).toBeNull()
  page.rerender(
    <ToolCall part={{ ...base, state: 'input-streaming', input: undefined, rawInput: '{"comm' }} live />,
  )
  expect(page.getByRole('region', { name: 'Arguments' }).textContent).toContain('{"comm')
})

test('UI-9 a long text is drawn in part until all of it is asked for, and copied whole', () => {
  const text = `${'x'.repeat(4_000)}END`
  using page = show(<LongText label="Result" text={text} />)
  expect(page.container.querySelector('pre')?.textContent).toBe(`${'x'.repeat(4_000)}…`)
  fireEvent.click(page.getByRole('button', { name: 'Show all 4 kB' }))
  expect(page.container.querySelector('pre')?.textContent).toBe(text)
  page.rerender(<LongText label="Result" text="short" />)
  expect(page.queryByRole('button', { name: /Show all/ })).toBeNull()
})

const calls = (...parts: ToolPart[]) =>
  parts.map((part, index) => ({ index, part: { ...part, toolCallId: `c${index}` } }))
const running = toolCall('read', { path: 'a' })
const done = toolCall('read', { path: 'a' }, 'ok')
const failed = { ...base, state: 'output-error', input, errorText: 'No' } as const

test('UI-9 calls that run are open, and fold once all have ended', () => {
  using page = show(<ToolGroup calls={calls(done, running)} live durationsMs={{}} modelViews={{}} />)
  const head = () => page.getAllByRole('button')[0] ?? page.container
  expect(head().getAttribute('aria-expanded')).toBe('true')
  page.rerender(<ToolGroup calls={calls(done, done)} live durationsMs={{}} modelViews={{}} />)
  expect(head().getAttribute('aria-expanded')).toBe('false')
})

test('UI-9 a group that a reader opened stays open when its calls end', () => {
  using page = show(<ToolGroup calls={calls(done, done)} live={false} durationsMs={{}} modelViews={{}} />)
  const head = () => page.getAllByRole('button')[0] ?? page.container
  fireEvent.click(head())
  page.rerender(<ToolGroup calls={calls(done, done, running)} live durationsMs={{}} modelViews={{}} />)
  page.rerender(<ToolGroup calls={calls(done, done, done)} live={false} durationsMs={{}} modelViews={{}} />)
  expect(head().getAttribute('aria-expanded')).toBe('true')
})

test('UI-9 a folded group says how many of its calls failed, and how many were denied', () => {
  const denied = { ...base, state: 'output-denied', input, approval: { id: 'p', approved: false } } as const
  using page = show(
    <ToolGroup calls={calls(done, failed, failed, denied)} live={false} durationsMs={{}} modelViews={{}} />,
  )
  expect(page.getByRole('button').textContent).toBe('Read 1 file2 failed1 denied')
})

test('UI-9 one call is not grouped, and has the duration of its part', () => {
  const [call] = calls(done)
  if (!call) throw new Error('One call was to be made.')
  using page = show(
    <ToolGroup calls={[{ ...call, index: 4 }]} live={false} durationsMs={{ 4: 2_000 }} modelViews={{}} />,
  )
  expect(page.getByRole('button').textContent).toContain('2\u00A0s')
})

test('UI-9 a tool is called by its name, however it is kept', () => {
  expect(toolName(running)).toBe('read')
  expect(toolName({ type: 'tool-web_search', toolCallId: 'c', state: 'input-available', input: {} })).toBe(
    'web_search',
  )
})

test('UI-9 whatever arguments are, what a call touches is text', () => {
  fc.assert(
    fc.property(fc.anything(), fc.boolean(), (value, live) => {
      const part = toolCall('odd', value)
      expect(typeof toolTarget(part)).toBe('string')
      expect(typeof toolState(part, live)).toBe('string')
    }),
  )
})

test('UI-9 a result is shown as its text, else as its JSON', () => {
  expect(outputText('plain')).toBe('plain')
  expect(outputText({ text: 'read', more: 1 })).toBe('read')
  expect(outputText([1])).toBe('[\n  1\n]')
  expect(outputText(undefined)).toBe('')
})

test('UI-9 a plan is read under every name that its parts go by, and odd parts are passed over', () => {
  const items = [
    { text: 'One', status: 'done' },
    { content: 'Two', status: 'in_progress' },
    { text: 'Three', status: 'whatever' },
    { text: 4 },
    null,
    'five',
  ]
  expect(todoItems(toolCall('todo', { todos: items }))).toEqual([
    { text: 'One', state: 'completed' },
    { text: 'Two', state: 'in-progress' },
    { text: 'Three', state: 'pending' },
  ])
  for (const odd of [null, 'text', [], { items: 'none' }, {}])
    expect(todoItems(toolCall('todo', odd))).toBeNull()
})

test('UI-9 a running command shows the last lines of its output, as text', () => {
  const text = Array.from({ length: 30 }, (_, line) => `\u001B[32mline ${line}\u001B[0m`).join('\n')
  const part: ToolPart = { ...base, state: 'output-available', input, output: { text }, preliminary: true }
  using page = show(<ToolCall part={part} live />)
  expect(page.getByRole('button').textContent).toBe('Runmake inkRunning')
  const shown = page.container.querySelector('pre')?.textContent ?? ''
  expect(shown.split('\n')).toEqual(Array.from({ length: 8 }, (_, line) => `line ${line + 22}`))
  page.rerender(<ToolCall part={part} live={false} />)
  expect(page.getByRole('button').textContent).toContain('Stopped')
  expect(page.container.querySelector('pre')).toBeNull()
})

const file = (url: string, mediaType = 'image/png') => ({ type: 'file', mediaType, url, filename: 'ink.png' })
const blob = `/api/v1/blobs/${'a'.repeat(64)}`

test('UI-9 a call without arguments opens to its result alone', () => {
  using page = opened(toolCall('list', {}, { text: 'nothing there' }))
  expect(page.queryByRole('region', { name: 'Arguments' })).toBeNull()
  expect(page.getByRole('region', { name: 'Result' }).textContent).toContain('nothing there')
})

test('UI-9 a picture in a result is shown, and opens', () => {
  const output = { text: 'ink.png is a picture.', files: [file(blob)] }
  using page = opened(toolCall('read', { path: 'ink.png' }, output))
  expect(page.getByRole('img', { name: 'ink.png' }).getAttribute('src')).toBe(blob)
  expect(page.getByRole('button', { name: /Open ink.png/ })).toBeTruthy()
  expect(page.getByRole('region', { name: 'Result' }).textContent).toContain('ink.png is a picture.')
})

test('UI-9 SX-3 nothing else in a result is shown as a picture or fetched', () => {
  const odd = [file('https://evil.example/a.png'), file(blob, 'image/svg+xml'), 'text', { url: 4 }]
  using page = opened(toolCall('read', { path: 'a' }, { text: 'x', files: odd }))
  expect(page.container.querySelector('img')).toBeNull()
})

test('UI-9 a command that failed shows its exit code', () => {
  const output = { text: 'no', data: { exitCode: 2 } }
  using page = show(
    <ToolCall part={{ ...base, state: 'output-available', input, output }} live={false} durationMs={9_000} />,
  )
  expect(page.getByRole('button').textContent).toBe('Ranmake inkDoneExit code 2')
})

test('UI-9 a folded group says what its calls did, in the order of the first of each kind', () => {
  const parts = calls(
    toolCall('grep', { pattern: 'a' }, 'ok'),
    toolCall('read', { path: 'a' }, 'ok'),
    toolCall('grep', { pattern: 'b' }, 'ok'),
    toolCall('charts_draw', {}, 'ok'),
  )
  using page = show(<ToolGroup calls={parts} live={false} durationsMs={{}} modelViews={{}} />)
  expect(page.getByRole('button').textContent).toBe('Searched 2 times, read 1 file, called charts_draw once')
})

test('UI-9 arguments are rows with names, without JSON', () => {
  using page = opened({
    ...toolCall('bash', { command: 'make ink', timeout: 120_000, background: false }, 'ok'),
  })
  const rows = [...page.container.querySelectorAll('dl > div')].map(({ textContent }) => textContent)
  expect(rows).toEqual(['Commandmake ink', 'Time limit2 min', 'In the backgroundno'])
  expect(page.container.textContent).not.toContain('{')
})
