// @vitest-environment happy-dom
import type { ContextWindow } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { ContextMeter } from './context-meter.tsx'
import { meterParts } from './meter-parts.ts'
import { meterState } from './meter-state.ts'

// A page that has been touched has what the meter opens to.
beforeAll(async () => {
  meterParts.load()
  await vi.waitUntil(() => meterParts.get(), { timeout: 20_000 })
}, 25_000)

const usage = {
  promptTokens: 1_000,
  completionTokens: 400,
  reasoningTokens: 100,
  cacheRead: 3_000,
  cacheWrite: 0,
  totalTokens: 4_500,
  costUsd: 0.25,
}
const window = (used: number, limit: number | null): ContextWindow => ({
  used,
  limit,
  usable: limit === null ? null : limit - 20_000,
  estimated: false,
})

test.each([
  [69_999, 'calm'],
  [70_000, 'high'],
  [89_999, 'high'],
  [90_000, 'full'],
  [130_000, 'full'],
] as const)('UI-14 %i of 100,000 tokens is %s', (used, level) => {
  expect(meterState(window(used, 100_000))).toMatchObject({ level })
})

test('UI-14 a full window never reads more than all of it', () => {
  expect(meterState(window(130_000, 100_000)).share).toBe(1)
})

test('UI-14 the meter has a value and says it in words', () => {
  using page = show(<ContextMeter contextWindow={window(42_000, 200_000)} usage={usage} />)
  const meter = page.getByRole('meter', { hidden: true })
  expect(meter.getAttribute('aria-valuenow')).toBe('42000')
  expect(meter.getAttribute('aria-valuemax')).toBe('200000')
  expect(meter.getAttribute('aria-valuetext')).toBe('21% used: 42k of 200k tokens')
})

test('UI-14 with an unknown limit it shows what is used and no percent', () => {
  using page = show(<ContextMeter contextWindow={window(42_000, null)} usage={usage} />)
  const button = page.getByRole('button', { name: 'Context window: 42k tokens used, limit unknown' })
  expect(button.textContent).toBe('42k')
})

test('UI-14 a limit of 0 is unknown: there is no percent, no reserve and nothing free', () => {
  using page = show(<ContextMeter contextWindow={{ ...window(0, 0), usable: 0 }} usage={usage} />)
  const meter = page.getByRole('meter', { hidden: true })
  expect(meter.getAttribute('aria-valuetext')).toBe('0 tokens used, limit unknown')
  expect(meter.getAttribute('aria-valuemax')).toBe('1')
  fireEvent.click(page.getByRole('button', { name: /Context window/ }))
  const text = page.getByRole('dialog', { name: 'Context window' }).textContent
  expect(text).toContain('Limitunknown')
  for (const piece of ['Reserved', 'Free', 'Summarises at', '%'])
    expect(text?.split('This chat')[0]).not.toContain(piece)
})

test('UI-14 a click opens the breakdown: counts, used, reserve, limit, cost, cache share', () => {
  using page = show(<ContextMeter contextWindow={window(42_000, 200_000)} usage={usage} />)
  fireEvent.click(page.getByRole('button', { name: /Context window/ }))
  const text = page.getByRole('dialog', { name: 'Context window' }).textContent
  for (const piece of [
    'Used42,000',
    'Reserved for the reply20,000',
    'Limit200,000',
    'Input1,000',
    'Output400',
  ]) {
    expect(text).toContain(piece)
  }
  for (const piece of ['Reasoning100', 'Cache read3,000', 'Cache write0', 'Total4,500', '$0.25', '75%']) {
    expect(text).toContain(piece)
  }
})

const content = {
  instructions: 900,
  summary: 0,
  prompts: 120,
  replies: 480,
  reasoning: 0,
  tools: 2_500,
  files: 0,
}

test('UI-14 the breakdown says what the window is made of, and nothing of what it lacks', () => {
  const onOpenChange = vi.fn()
  using page = open(window(4_000, 200_000), { content, onOpenChange })
  expect(onOpenChange).toHaveBeenLastCalledWith(true)
  const table = page.getByRole('table', { name: 'Tokens by kind of content' })
  expect(table.textContent).toContain('Instructions and tools≈ 900')
  expect(table.textContent).toContain('Tool calls≈ 2,500')
  for (const lacking of ['Files', 'Running reply']) expect(table.textContent).not.toContain(lacking)
})

const heavy = (role: 'user' | 'assistant', place: number, tokens: number) => ({
  messageId: `m${tokens}`,
  role,
  place,
  tokens,
  text: `Words ${place}`,
})

test('UI-14 one bar shows the kinds, one sentence what takes the most, and the numbers are folded', () => {
  using page = open(window(4_000, 200_000), { content, heaviest: [heavy('user', 1, 3_160)] })
  expect(page.text).toContain('Your first message takes 79%.')
  expect(page.text).toContain('2% of 200k')
  const numbers = page.getByText('All numbers').closest('details')
  expect(numbers?.open).toBe(false)
  expect(numbers?.textContent).toContain('Used4,000')
  expect(page.getByText('Tool calls 63%')).toBeTruthy()
})

test('UI-14 PR-5 each of the heaviest messages can be left out', () => {
  const onLeaveOut = vi.fn()
  const heaviest = [heavy('user', 2, 2_000), heavy('assistant', 1, 1_000)]
  using page = open(window(4_000, 200_000), { content, heaviest, onLeaveOut })
  expect(page.getAllByRole('listitem').at(-1)?.textContent).toContain('Reply: Words 1≈ 1k')
  fireEvent.click(page.getByRole('button', { name: 'Leave out “Words 2”' }))
  expect(onLeaveOut.mock.calls).toEqual([['m2000']])
})

test.each([
  [[heavy('user', 1, 3_160)], 'Your first message takes 79%.'],
  [[heavy('user', 3, 3_160)], 'Your message “Words 3” takes 79%.'],
  [[heavy('assistant', 1, 3_160)], 'The first reply takes 79%.'],
  [[heavy('assistant', 2, 3_160)], 'The reply “Words 2” takes 79%.'],
  [[heavy('user', 1, 800)], 'Instructions and tools take 23%.'],
])('UI-14 the sentence names what takes the most', (heaviest, sentence) => {
  using page = open(window(4_000, 200_000), { content, heaviest })
  expect(page.text).toContain(sentence)
})

test('UI-14 tokens of the running reply have a row of their own until they are counted', () => {
  using page = open(window(4_250, 200_000), { content, writing: true })
  expect(page.text).toContain('Used4,250')
  expect(page.text).toContain('Running reply≈ 250')
})

test('UI-14 more use never looks like less, and a share stays between nothing and all', () => {
  const levels = ['calm', 'high', 'full']
  fc.assert(
    fc.property(fc.nat(300_000), fc.nat(300_000), fc.integer({ min: 1, max: 200_000 }), (a, b, limit) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((used) => meterState(window(used, limit)))
      if (!less || !more) throw new Error('Two states were to be made.')
      expect(levels.indexOf(less.level)).toBeLessThanOrEqual(levels.indexOf(more.level))
      expect(less.share).toBeGreaterThanOrEqual(0)
      expect(more.share).toBeLessThanOrEqual(1)
    }),
  )
})

const open = (contextWindow: ContextWindow, props = {}) => {
  const page = show(<ContextMeter contextWindow={contextWindow} usage={usage} {...props} />)
  fireEvent.click(page.getByRole('button', { name: /Context window/ }))
  return Object.assign(page, { text: page.getByRole('dialog', { name: 'Context window' }).textContent })
}

test('UI-14 the breakdown says what is free and where earlier messages are summarised', () => {
  using page = open(window(42_000, 200_000))
  expect(page.text).toContain('Summarises at180,000')
  expect(page.text).toContain('Free138,000')
})

test('UI-14 a window that is more than full has nothing free, and not less', () => {
  using page = open(window(250_000, 200_000))
  expect(page.text).toContain('Free0')
  expect(page.getByRole('meter', { hidden: true }).getAttribute('aria-valuenow')).toBe('200000')
})

test('UI-14 an unknown limit has no reserve, nothing free and no place to summarise', () => {
  using page = open(window(42_000, null))
  expect(page.text).toContain('Limitunknown')
  for (const word of ['Free', 'Reserved for the reply', 'Summarises at'])
    expect(page.text).not.toContain(word)
})

test('UI-14 an estimate is marked as one', () => {
  using page = open({ ...window(42_000, 200_000), estimated: true })
  expect(page.text).toContain('Used≈ 42,000')
  expect(page.text).toContain('estimate')
})

test('UI-14 a cost that is unknown is said to be, and a share of nothing is none', () => {
  const nothing = { ...usage, promptTokens: 0, cacheRead: 0, costUsd: null }
  using page = open(window(0, 200_000), { usage: nothing })
  expect(page.text).toContain('Costunknown')
  expect(page.text).toContain('Cached input0%')
})

test('UI-14 actions in the breakdown can close it', () => {
  const onOpenChange = vi.fn()
  using page = open(window(42_000, 200_000), {
    onOpenChange,
    actions: (close: () => void) => (
      <button type="button" onClick={close}>
        Free tokens
      </button>
    ),
  })
  fireEvent.click(page.getByRole('button', { name: 'Free tokens' }))
  expect(onOpenChange.mock.calls).toEqual([[true], [false]])
})

test('UI-23 the breakdown has the focus at its top, and one Tab further are its actions', async () => {
  using page = open(window(42_000, 200_000), { actions: () => <button type="button">Free tokens</button> })
  const panel = page.getByRole('dialog', { name: 'Context window' })
  await vi.waitFor(() => expect(document.activeElement).toBe(panel))
  const [first] = panel.querySelectorAll('button, a, input')
  expect(first?.textContent).toBe('Free tokens')
})

test('UI-14 a clear drop is pointed out, growth and a small correction are not', () => {
  using page = show(<ContextMeter contextWindow={window(100_000, 200_000)} usage={usage} />)
  const pulses = (used: number) => {
    page.rerender(<ContextMeter contextWindow={window(used, 200_000)} usage={usage} />)
    return page.container.querySelector('.pulse') !== null
  }
  expect(pulses(120_000)).toBe(false)
  expect(pulses(119_000)).toBe(false)
  expect(pulses(20_000)).toBe(true)
})
