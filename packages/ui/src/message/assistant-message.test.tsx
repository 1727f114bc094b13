// @vitest-environment happy-dom
import type { ChatPart } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleMessage, sampleModel, toolCall } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { AssistantMessage, type AssistantMessageProps } from './assistant-message.tsx'

const opus = sampleModel('opus')
const model = { providerId: 'acme', modelId: 'opus' }
const usage = { input: 1_000, output: 200, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 }

function reply(props: Partial<AssistantMessageProps> = {}) {
  const message = sampleMessage('m1', 'assistant', [{ type: 'text', text: 'Hello', state: 'done' }], {
    model,
    usage,
    durationMs: 4_200,
    finishReason: 'stop',
  })
  return <AssistantMessage message={message} streaming={false} last models={[opus]} actions={{}} {...props} />
}

test('UI-10 a reply names its model and gives tokens, cost and time on demand', async () => {
  using page = show(reply())
  expect(page.getByRole('heading', { name: 'opus replied' })).toBeTruthy()
  fireEvent.click(page.getByRole('button', { name: 'Details' }))
  const text = (await page.findByRole('dialog', { name: 'Details' })).textContent
  for (const piece of ['opus', '4.2\u00A0s', 'Complete', '$0.006', 'Total1,200'])
    expect(text).toContain(piece)
})

test('UI-10 a reply is copied as it was written', () => {
  const writeText = vi.fn(() => Promise.resolve())
  vi.stubGlobal('navigator', { ...navigator, userAgent: '', clipboard: { writeText } })
  using page = show(reply())
  fireEvent.click(page.getByRole('button', { name: 'Copy message' }))
  expect(writeText.mock.calls).toEqual([['Hello']])
  vi.unstubAllGlobals()
})

test('UI-10 another reply is asked for, by the same model', () => {
  const onRegenerate = vi.fn()
  using page = show(reply({ actions: { onRegenerate } }))
  fireEvent.click(page.getByRole('button', { name: 'Regenerate' }))
  expect(onRegenerate.mock.calls).toEqual([['m1', undefined]])
})

test('UI-10 actions that do not exist are not offered', () => {
  using page = show(reply())
  expect(page.queryByRole('button', { name: 'Regenerate' })).toBeNull()
  expect(page.queryByRole('button', { name: 'Copy link' })).toBeNull()
})

test('UI-10 a message without words has nothing to be copied', () => {
  using page = show(reply({ message: sampleMessage('m2', 'assistant', [], { finishReason: 'error' }) }))
  expect(page.getByRole('button', { name: 'Details' })).toBeTruthy()
  expect(page.queryByRole('button', { name: 'Copy message' })).toBeNull()
})

test('UI-11 a stopped reply keeps its text and offers to go on', () => {
  const onContinue = vi.fn()
  const message = sampleMessage('m2', 'assistant', [{ type: 'text', text: 'Half' }], {
    finishReason: 'aborted',
  })
  using page = show(reply({ message, actions: { onContinue } }))
  expect(page.getByText('Half')).toBeTruthy()
  fireEvent.click(page.getByRole('button', { name: 'Continue' }))
  expect(onContinue.mock.calls).toEqual([['m2']])
})

test('UI-11 a reply that broke off and was left behind says so and offers nothing', () => {
  const message = sampleMessage('m2', 'assistant', [{ type: 'text', text: 'Half' }], {
    finishReason: 'aborted',
  })
  using page = show(reply({ message, last: false, actions: { onContinue: vi.fn() } }))
  expect(page.getByText('Stopped.')).toBeTruthy()
  expect(page.queryByRole('button', { name: 'Continue' })).toBeNull()
})

test('UI-15 words that steered a reply are shown as the reader’s own', () => {
  const parts: ChatPart[] = [
    { type: 'text', text: 'First' },
    { type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'Shorter' }] },
    { type: 'text', text: 'Then' },
  ]
  using page = show(reply({ message: sampleMessage('m7', 'assistant', parts) }))
  expect(page.getByRole('heading', { name: 'You said' })).toBeTruthy()
  expect(page.getByText('Shorter')).toBeTruthy()
})

test('UI-9 finished calls fold into one line that opens to each', () => {
  const parts = [
    toolCall('read', { path: 'a.md' }, { text: 'ink' }),
    toolCall('grep', { pattern: 'x' }, '3 found'),
  ]
  using page = show(reply({ message: sampleMessage('m3', 'assistant', parts) }))
  expect(page.queryByText('a.md')).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Read 1 file, searched once' }))
  fireEvent.click(page.getByRole('button', { name: /Read a.md/ }))
  expect(page.getByText('a.md', { selector: 'dd' })).toBeTruthy()
  expect(page.getByRole('region', { name: 'Result' }).textContent).toContain('ink')
})

test('UI-9 a reply with a call under way shows nothing else below it, also after other calls', () => {
  const draw = (...parts: ChatPart[]) =>
    reply({ streaming: true, message: sampleMessage('m3', 'assistant', parts) })
  const call = { type: 'dynamic-tool', toolName: 'bash', toolCallId: 'b', input: {}, output: 'one' } as const
  const ended = { ...call, state: 'output-available' } as const
  const todo = toolCall('todo', { items: [] }, 'ok')
  using page = show(draw(ended))
  expect(page.getByText('Thinking')).toBeTruthy()
  page.rerender(draw({ ...ended, preliminary: true }))
  expect(page.queryByText('Thinking')).toBeNull()
  page.rerender(draw(toolCall('bash', { command: 'make' }), todo))
  expect(page.queryByText('Thinking')).toBeNull()
})

test('PR-4 a call says that its model sees a condensed form, which opens, and still shows what is stored', () => {
  const parts = [toolCall('read', { path: 'a.md' }, { text: 'ink on vellum' })]
  const form = { model, ofCharacters: 13, beforeTokens: 2_500, afterTokens: 312, spentTokens: 2_700 }
  const condensed = { 'call-read': { ...form, text: 'Ink.' } }
  using page = show(reply({ message: sampleMessage('m3', 'assistant', parts, { condensed }) }))
  fireEvent.click(page.getByRole('button', { name: /Read a.md/ }))
  expect(page.getByRole('region', { name: 'Result' }).textContent).toContain('ink on vellum')
  expect(page.queryByText('Ink.')).toBeNull()
  fireEvent.click(page.getByRole('button', { name: /reads a condensed result: 312 instead of 2.5K tokens/i }))
  expect(page.getByRole('region', { name: 'Condensed by opus' }).textContent).toContain('Ink.')
})

test('PR-4 a condensed output is given to the model whole from its call, and by its condensed form again', () => {
  const onUseFullResult = vi.fn()
  const parts = [toolCall('read', { path: 'a.md' }, { text: 'ink on vellum' })]
  const form = {
    model,
    text: 'Ink.',
    ofCharacters: 13,
    beforeTokens: 2_500,
    afterTokens: 312,
    spentTokens: 1,
  }
  const draw = (unused: boolean, props: Partial<AssistantMessageProps> = {}) => {
    const condensed = { 'call-read': { ...form, ...(unused && { unused }) } }
    const message = sampleMessage('m3', 'assistant', parts, { condensed })
    return reply({ message, actions: { onUseFullResult }, ...props })
  }
  using page = show(draw(false))
  fireEvent.click(page.getByRole('button', { name: /Read a.md/ }))
  fireEvent.click(page.getByRole('button', { name: 'Use the full result' }))
  expect(onUseFullResult.mock.calls).toEqual([['m3', 'call-read', true]])
  page.rerender(draw(true))
  const note = page.getByRole('button', {
    name: /reads the full result of 2.5k tokens; a condensed one of 312/,
  })
  fireEvent.click(page.getByRole('button', { name: 'Use the condensed result' }))
  expect(onUseFullResult.mock.calls.at(-1)).toEqual(['m3', 'call-read', false])
  fireEvent.click(note)
  expect(page.getByRole('region', { name: 'Condensed by opus' }).textContent).toContain('Ink.')
  // While it is being written, and where nothing can be done, no way is offered.
  for (const props of [{ streaming: true }, { actions: {} }]) {
    page.rerender(draw(false, props))
    expect(page.getByText(/instead of 2.5k tokens/)).toBeTruthy()
    expect(page.queryByRole('button', { name: 'Use the full result' })).toBeNull()
  }
})

test('PR-1 a call that was pruned says so and still shows what is stored', () => {
  const parts = [toolCall('read', { path: 'a.md' }, { text: 'ink on vellum' })]
  using page = show(reply({ message: sampleMessage('m3', 'assistant', parts, { prunedParts: [0] }) }))
  fireEvent.click(page.getByRole('button', { name: /Read a.md/ }))
  expect(page.getByText(/The model no longer reads this result/)).toBeTruthy()
})

test('UI-9 a plan is a checklist', () => {
  const items = [
    { text: 'Read', status: 'completed' },
    { text: 'Write', status: 'in_progress' },
  ]
  using page = show(reply({ message: sampleMessage('m4', 'assistant', [toolCall('todo', { items }, 'ok')]) }))
  const list = page.getByRole('region', { name: 'To-do list' })
  expect(list.textContent).toContain('1 of 2 done')
  expect(page.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'ReadDone',
    'WriteIn progress',
  ])
})

test('UI-10 a part that can’t be read leaves the rest standing', () => {
  const parts = [
    { type: 'data-unreadable', data: { raw: '{"a' } } as const,
    { type: 'text', text: 'Rest' } as const,
  ]
  using page = show(reply({ message: sampleMessage('m5', 'assistant', parts) }))
  expect(page.getByText('Rest')).toBeTruthy()
  fireEvent.click(page.getByRole('button', { name: 'Show stored data' }))
  expect(page.container.textContent).toContain('{\\"a')
})

test('SX-3 a file that lies elsewhere is not fetched by itself', () => {
  const file = { type: 'file', mediaType: 'image/png', url: 'https://images.example.org/a.png' } as const
  using page = show(reply({ message: sampleMessage('m6', 'assistant', [file]) }))
  expect(page.container.querySelector('img')).toBeNull()
  expect(page.getByRole('button', { name: /Load image from images.example.org/ })).toBeTruthy()
})

test('SY-3 a reply whose prompt does not hold all instructions says which files are cut', () => {
  const message = sampleMessage('m1', 'assistant', [{ type: 'text', text: 'Hello', state: 'done' }], {
    instructionsCut: ['AGENTS.md', '../CLAUDE.md'],
  })
  using page = show(reply({ message }))
  expect(page.getByText(/longer than 8,000 tokens.*AGENTS\.md, \.\.\/CLAUDE\.md/)).toBeTruthy()
})

test('SY-8 a reply whose requests leave tools and skills out of a small window names them and says why', () => {
  const promptLeftOut = {
    limit: 768,
    tools: ['task', 'todo'],
    skills: ['release'],
    instructions: [],
    personal: true,
    memories: false,
  }
  const text = [{ type: 'text', text: 'Hello', state: 'done' }] as const
  using page = show(reply({ message: sampleMessage('m1', 'assistant', [...text], { promptLeftOut }) }))
  const note = page.getByText(/window is small.*768 tokens.*task, todo.*release.*your instructions/)
  expect(note.textContent).not.toContain('memories')
})
