// @vitest-environment happy-dom
import type { ChatMessage, MessageMetadata } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleMessage, sampleModel, textMessage } from '../testing/samples.ts'
import { type Shown, show } from '../testing/show.tsx'
import { CompareHead, type CompareHeadProps } from './compare-head.tsx'
import type { CompareSide, CompareTurn } from './compare-side.ts'
import { CompareView, type CompareViewProps } from './compare-view.tsx'

const side = (id: string, facts: Partial<CompareSide> = {}): CompareSide => ({
  id,
  name: `Name ${id}`,
  href: `/s/${id}`,
  status: { state: 'idle' },
  streamingId: null,
  ...facts,
})

const FIRST = { providerId: 'acme', modelId: 'first' }
const SECOND = { providerId: 'acme', modelId: 'second' }

function reply(id: string, text: string, tokens: number, facts: Partial<MessageMetadata> = {}): ChatMessage {
  const usage = { input: tokens, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 }
  const part = { type: 'text', text, state: 'done', providerMetadata: { acme: { itemId: id } } } as const
  return sampleMessage(id, 'assistant', [part], { model: FIRST, usage, ...facts })
}

const turn = (id: string, prompt: string, ...replies: ChatMessage[]): CompareTurn => ({
  prompt: textMessage(`${id}-prompt`, 'user', prompt),
  replies,
})

const view = (props: Partial<CompareViewProps> = {}) => (
  <CompareView
    left={side('a')}
    right={side('b')}
    common={[]}
    turns={[]}
    models={[sampleModel('first'), sampleModel('second')]}
    actions={{ left: {}, right: {} }}
    shown="left"
    {...props}
  />
)

/** The line of facts under the replies of one side of the first turn. */
function facts(page: Shown, which: 'left' | 'right'): HTMLElement | null {
  const cell = page.getByRole('region', { name: 'Turn 1' }).children[which === 'left' ? 0 : 1]
  return cell?.querySelector<HTMLElement>('.tabular-nums') ?? null
}

/** The highlighted texts in it. */
const marked = (line: HTMLElement | null) =>
  [...(line?.querySelectorAll('.text-ink') ?? [])].map(({ textContent }) => textContent)

test('UI-20 turns are side by side in order, and a missing turn says so', () => {
  const turns = [
    {
      left: turn('l1', 'Of ink?', reply('l1r', 'Black.', 1)),
      right: turn('r1', 'Of wax?', reply('r1r', 'Soft.', 1)),
    },
    { left: turn('l2', 'And pens?', reply('l2r', 'Quills.', 1)), right: null },
  ]
  using page = show(view({ turns }))
  const [first, second] = page.getAllByRole('region').map(({ children }) => [...children])
  expect(first?.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Of ink\?.*Black\./),
    expect.stringMatching(/Of wax\?.*Soft\./),
  ])
  expect(second?.[1]?.textContent).toBe('Nothing here yet')
})

test('UI-20 the model and the tokens of a turn are highlighted only where the sides differ', () => {
  const left = turn('l', 'Q', reply('x', 'One.', 10))
  const right = turn('r', 'Q', reply('y', 'Two.', 25, { model: SECOND }))
  using page = show(view({ turns: [{ left, right }] }))
  expect(marked(facts(page, 'left'))).toEqual(['first', '10 tokens'])
  expect(marked(facts(page, 'right'))).toEqual(['second', '25 tokens'])
  page.rerender(view({ turns: [{ left, right: turn('r', 'Q', reply('y', 'Two.', 25)) }] }))
  expect(marked(facts(page, 'right'))).toEqual(['25 tokens'])
  for (const none of [null, turn('r', 'Q')]) {
    page.rerender(view({ turns: [{ left, right: none }] }))
    expect(marked(facts(page, 'left'))).toEqual([])
  }
})

test('UI-20 the tokens of a turn are those of all its replies', () => {
  const left = turn('l', 'Q', reply('x', 'One.', 1_000), reply('y', 'Two.', 200))
  using page = show(view({ turns: [{ left, right: null }] }))
  expect(facts(page, 'left')?.textContent).toBe('first·1,200 tokens')
})

test('UI-20 replies in the same words are called the same, whatever their providers add to them', () => {
  const left = turn('l', 'Q', reply('x', 'Just so.', 5))
  using page = show(view({ turns: [{ left, right: turn('r', 'Q', reply('y', 'Just so.', 9)) }] }))
  expect(facts(page, 'left')?.textContent).toContain('Same reply')
  expect(facts(page, 'right')?.textContent).toContain('Same reply')
  page.rerender(view({ turns: [{ left, right: turn('r', 'Q', reply('y', 'Just so!', 9)) }] }))
  expect(facts(page, 'left')?.textContent).not.toContain('Same reply')
})

test('UI-20 replies without a word are not called the same, nor is a model made up', () => {
  const silent = (id: string) => sampleMessage(id, 'assistant', [])
  using page = show(
    view({ turns: [{ left: turn('l', 'Q', silent('x')), right: turn('r', 'Q', silent('y')) }] }),
  )
  expect(facts(page, 'left')?.textContent).toBe('0 tokens')
})

test('UI-20 what both have in common is counted, and opened and closed by one button', () => {
  const common = [textMessage('c1', 'user', 'How it began'), textMessage('c2', 'assistant', 'So it did')]
  using page = show(view({ common }))
  expect(page.getByText('2 messages in common')).toBeTruthy()
  expect(page.getByText(/^The two chats are the same so far\./)).toBeTruthy()
  expect(page.queryByText('How it began')).toBeNull()
  const button = page.getByRole('button', { name: 'Show them' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(button)
  expect(page.getByText('How it began')).toBeTruthy()
  fireEvent.click(page.getByRole('button', { name: 'Hide them' }))
  expect(page.queryByText('How it began')).toBeNull()
})

test('UI-20 on narrow screens one side is shown, and each side acts on its own session', async () => {
  const onRegenerate = { left: vi.fn(), right: vi.fn() }
  const turns = [
    { left: turn('l', 'Q', reply('x', 'One.', 1)), right: turn('r', 'Q', reply('y', 'Two.', 1)) },
  ]
  const actions = {
    left: { onRegenerate: onRegenerate.left },
    right: { onRegenerate: onRegenerate.right },
  }
  using page = show(view({ turns, actions, shown: 'right' }))
  const [left, right] = [...page.getByRole('region', { name: 'Turn 1' }).children]
  expect(left?.className).toContain('max-md:hidden')
  expect(right?.className).not.toContain('max-md:hidden')
  const [, second] = page.getAllByRole('button', { name: 'Regenerate' })
  if (second) fireEvent.click(second)
  fireEvent.click(await page.findByRole('menuitem', { name: 'Regenerate' }))
  expect(onRegenerate.right.mock.calls[0]?.[0]).toBe('y')
  expect(onRegenerate.left).not.toHaveBeenCalled()
})

function head(props: Partial<CompareHeadProps> = {}) {
  const on = { onShow: vi.fn(), onOpen: vi.fn() }
  const element = (next: Partial<CompareHeadProps> = {}) => (
    <CompareHead left={side('a')} right={side('b')} shown="left" {...on} {...props} {...next} />
  )
  return Object.assign(show(element()), { on, element })
}

test('UI-20 the name over a side leads to its session, in place or in a tab of its own', () => {
  using page = head()
  const link = page.getByRole('link', { name: 'Name b' })
  expect(link.getAttribute('href')).toBe('/s/b')
  fireEvent.click(link, { ctrlKey: true })
  expect(page.on.onOpen).not.toHaveBeenCalled()
  fireEvent.click(link)
  expect(page.on.onOpen.mock.calls).toEqual([['b']])
})

test('UI-23 the arrow keys go to and fro between the tabs of the sides, and take the focus along', () => {
  using page = head()
  const [a, b] = page.getAllByRole('tab')
  a?.focus()
  fireEvent.keyDown(a ?? document.body, { key: 'ArrowRight' })
  expect(document.activeElement).toBe(b)
  page.rerender(page.element({ shown: 'right' }))
  expect(b?.getAttribute('aria-selected')).toBe('true')
  fireEvent.keyDown(b ?? document.body, { key: 'ArrowLeft' })
  expect(document.activeElement).toBe(a)
  expect(page.on.onShow.mock.calls).toEqual([['right'], ['left']])
})

test('UI-23 of the two tabs only the one that is shown is in the way of the Tab key', () => {
  using page = head({ shown: 'right' })
  expect(page.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([-1, 0])
  fireEvent.click(page.getByRole('tab', { name: 'Name a' }))
  expect(page.on.onShow.mock.calls).toEqual([['left']])
})

test('UI-20 a side with a running reply says so beside its name', () => {
  using page = head({ right: side('b', { status: { state: 'busy', runId: 'run_1', startedAt: 0 } }) })
  expect(page.getByRole('tab', { name: /Name b.*Running/ })).toBeTruthy()
})

test('UI-23 the start and the end of a reply are announced once for each side', () => {
  const writing = { status: { state: 'busy', runId: 'run', startedAt: 0 }, streamingId: 'x' } as const
  using page = show(view())
  const announced = () => page.getAllByRole('status').map(({ textContent }) => textContent)
  const busy = () => page.getByRole('log').getAttribute('aria-busy')
  expect([announced(), busy()]).toEqual([['', ''], 'false'])
  page.rerender(view({ left: side('a', writing), right: side('b', { ...writing, streamingId: 'y' }) }))
  expect([announced(), busy()]).toEqual([
    ['Name a: the reply has begun.', 'Name b: the reply has begun.'],
    'true',
  ])
  page.rerender(view({ left: side('a', writing) }))
  expect([announced(), busy()]).toEqual([
    ['Name a: the reply has begun.', 'Name b: the reply has ended.'],
    'true',
  ])
  page.rerender(view())
  expect([announced(), busy()]).toEqual([
    ['Name a: the reply has ended.', 'Name b: the reply has ended.'],
    'false',
  ])
})

test('UI-23 a side whose reply fails says so by its name, also when it has said a part of it', () => {
  const turns = [{ left: turn('l', 'Of ink?'), right: turn('r', 'Of ink?') }]
  const busy = (id: string) => side(id, { status: { state: 'busy', runId: `run_${id}`, startedAt: 0 } })
  using page = show(view({ turns, left: busy('a'), right: busy('b') }))
  const failed = { code: 'PROVIDER_ERROR', message: 'The well is dry.' } as const
  const half = reply('rr', 'Bl', 1, { runId: 'run_b', finishReason: 'error', error: failed })
  page.rerender(
    view({
      turns: [{ left: turn('l', 'Of ink?'), right: turn('r', 'Of ink?', half) }],
      left: side('a', { status: { state: 'error', runId: 'run_a', ...failed } }),
    }),
  )
  const announced = page.getAllByRole('status').map(({ textContent }) => textContent)
  expect(announced).toEqual([
    expect.stringMatching(/^Name a: .*The well is dry\.$/),
    expect.stringMatching(/^Name b: .*The well is dry\.$/),
  ])
})

test('UI-20 the model of a reply is shown once under it, beside its tokens', () => {
  using page = show(view({ turns: [{ left: turn('l', 'Of ink?', reply('lr', 'Black.', 1)), right: null }] }))
  const cell = page.getByRole('region', { name: 'Turn 1' }).firstElementChild
  const shown = [...(cell?.querySelectorAll('span, p') ?? [])].filter(
    ({ textContent, children }) => textContent === 'first' && children.length === 0,
  )
  expect(shown).toHaveLength(1)
  expect(facts(page, 'left')?.textContent).toMatch(/^first·/)
})

test('UI-11 UI-20 a prompt at the end of a side is thought about, or is sent again there, and others are not', () => {
  const onResend = vi.fn()
  const turns = [
    { left: turn('l1', 'Of ink?'), right: turn('r1', 'Of wax?', reply('r1r', 'Soft.', 1)) },
    { left: turn('l2', 'And pens?'), right: null },
  ]
  const props = { turns, actions: { left: { onResend }, right: {} } }
  using page = show(view(props))
  fireEvent.click(page.getByRole('button', { name: 'Get a reply' }))
  expect(onResend.mock.calls).toEqual([['l2-prompt']])
  page.rerender(
    view({ ...props, left: side('a', { status: { state: 'busy', runId: 'run', startedAt: 0 } }) }),
  )
  expect(page.getByText('Thinking')).toBeTruthy()
  page.rerender(view({ ...props, left: side('a', { unsent: true }) }))
  expect(page.queryByText('No reply yet.')).toBeNull()
})

test('UI-34 the differences of two replies are shown and hidden by one button on either side', async () => {
  const turns = [
    { left: turn('l', 'Q', reply('x', 'Iron ink.', 1)), right: turn('r', 'Q', reply('y', 'Gall ink.', 1)) },
  ]
  using page = show(view({ turns }))
  const [button] = page.getAllByRole('button', { name: 'Show differences' })
  fireEvent.click(button ?? page.container)
  expect(await page.findAllByText('1 word is only here.')).toHaveLength(2)
  expect([...page.container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
    'Iron',
    'Gall',
  ])
  const [, other] = page.getAllByRole('button', { name: 'Hide differences' })
  fireEvent.click(other ?? page.container)
  expect(page.container.querySelector('mark')).toBeNull()
})

test('UI-34 what is being written, what is the same and what is missing is not compared', () => {
  const left = turn('l', 'Q', reply('x', 'Iron ink.', 1))
  using page = show(view())
  for (const right of [null, turn('r', 'Q'), turn('r', 'Q', reply('y', 'Iron ink.', 2))]) {
    page.rerender(view({ turns: [{ left, right }] }))
    expect(page.queryByRole('button', { name: 'Show differences' })).toBeNull()
  }
  const right = turn('r', 'Q', reply('y', 'Gall', 1))
  page.rerender(view({ turns: [{ left, right }], right: side('b', { streamingId: 'y' }) }))
  expect(page.queryByRole('button', { name: 'Show differences' })).toBeNull()
})

test('UI-34 over each side are its model, its tokens and its meter', () => {
  using page = head({
    left: side('a', { model: 'First', tokens: 1_200, meter: <span>12 %</span> }),
    right: side('b', { model: 'Second', tokens: 30 }),
  })
  expect(page.getAllByText('· 1,200 tokens')).toHaveLength(2)
  expect(page.getAllByText('· 30 tokens')).toHaveLength(1)
  expect(page.getAllByText('12 %')).toHaveLength(2)
})
