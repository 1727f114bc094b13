// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { show } from '../testing/show.tsx'
import { showApproval as open } from '../testing/show-approval.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('UI-16 the replies are in the order of their number keys, each with its number', () => {
  using page = open()
  expect(page.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Deny1',
    'Allow once2',
    'In this chat3',
    'In this folder4',
  ])
})

test('SY-7 in a chat without a folder a call is allowed once and for the chat, and for no project', () => {
  using page = open({}, { hasProject: false })
  expect(page.labels()).toEqual(['Deny', 'Allow once', 'In this chat'])
})

test('UI-16 where no pattern is proposed, a call is allowed only once, by its number too', () => {
  using page = open({ patterns: [] })
  expect(page.labels()).toEqual(['Deny', 'Allow once'])
  expect(page.queryByRole('group')).toBeNull()
  for (const key of ['3', '4', '9']) fireEvent.keyDown(page.card, { key })
  expect(page.calls).toEqual([])
})

test('UI-16 one pattern is named in a sentence, without a choice', () => {
  using page = open({ patterns: ['git push'] })
  expect(page.queryByRole('radio')).toBeNull()
  expect(page.getByText('In this chat or folder, git push is allowed from then on.')).toBeTruthy()
  fireEvent.keyDown(page.card, { key: '4' })
  expect(page.calls).toEqual(['project git push'])
})

test('UI-16 of several patterns the first is chosen until another one is', () => {
  using page = open()
  const radios = page.getAllByRole('radio')
  expect(radios.map((radio) => radio instanceof HTMLInputElement && radio.checked)).toEqual([
    true,
    false,
    false,
  ])
  fireEvent.click(page.getByRole('radio', { name: 'git *' }))
  expect(page.calls).toEqual(['pattern git *'])
})

test('UI-16 a pattern that this request does not propose is never allowed', () => {
  using page = open({}, { pattern: 'rm *' })
  expect(page.getByRole('radio', { name: 'git push' })).toHaveProperty('checked', true)
  fireEvent.keyDown(page.card, { key: '3' })
  expect(page.calls).toEqual(['session git push'])
})

test('UI-16 a reply for the chat or the project has the chosen pattern, and a reply for once has none', () => {
  using page = open({}, { pattern: '*' })
  for (const key of ['2', '3', '4']) fireEvent.keyDown(page.card, { key })
  expect(page.calls).toEqual(['once', 'session *', 'project *'])
})

test.each([
  ['Control', { ctrlKey: true }],
  ['Meta', { metaKey: true }],
  ['Alt', { altKey: true }],
  ['a key that is held', { repeat: true }],
])('UI-16 a number with %s gives no reply', (_, facts) => {
  using page = open()
  for (const key of ['1', '2', '3', '4']) fireEvent.keyDown(page.card, { key, ...facts })
  expect(page.calls).toEqual([])
})

test.each(['0', '5', '9', '12', 'a', 'Enter', ' ', '²', '١'])('UI-16 the key %j gives no reply', (key) => {
  using page = open()
  fireEvent.keyDown(page.card, { key })
  expect(page.calls).toEqual([])
})

test('UI-16 a number pressed at a pattern gives a reply, and one typed into the reason is text', () => {
  using page = open()
  fireEvent.keyDown(page.getByRole('textbox'), { key: '2' })
  expect(page.calls).toEqual([])
  fireEvent.keyDown(page.getByRole('radio', { name: 'git *' }), { key: '2' })
  expect(page.calls).toEqual(['once'])
})

test('UI-16 while a reply is on its way neither a number, nor Enter, nor a press decides anything', () => {
  using page = open({}, { busy: true, reason: 'No' })
  for (const key of ['1', '2', '3', '4']) fireEvent.keyDown(page.card, { key })
  fireEvent.keyDown(page.getByRole('textbox'), { key: 'Enter' })
  for (const button of page.getAllByRole('button')) fireEvent.click(button)
  expect(page.calls).toEqual([])
  expect(page.getByRole('textbox')).toHaveProperty('readOnly', true)
  expect(page.getByRole('group')).toHaveProperty('disabled', true)
})

test('UI-16 nothing decides in the first 500 ms, and each reply does after them', () => {
  using page = open({}, { reason: 'No' }, { armed: false })
  act(() => vi.advanceTimersByTime(499))
  page.press('2')
  fireEvent.keyDown(page.getByRole('textbox'), { key: 'Enter' })
  expect(page.calls).toEqual([])
  act(() => vi.advanceTimersByTime(1))
  page.press('2')
  expect(page.calls).toEqual(['once'])
})

test('UI-16 Enter in the reason denies only when words are in it, and not while they are composed', () => {
  using empty = open({}, { reason: ' \t ' })
  fireEvent.keyDown(empty.getByRole('textbox'), { key: 'Enter' })
  expect(empty.calls).toEqual([])
  empty.unmount()
  using page = open({}, { reason: 'Nein' })
  fireEvent.keyDown(page.getByRole('textbox'), { key: 'Enter', isComposing: true })
  expect(page.calls).toEqual([])
  fireEvent.keyDown(page.getByRole('textbox'), { key: 'Enter' })
  expect(page.calls).toEqual(['deny'])
})

test('UI-16 the reason has a bound of characters, and what is entered is reported', () => {
  using page = open()
  const field = page.getByRole('textbox', { name: 'Reason, if you deny' })
  expect(field).toHaveProperty('maxLength', 20)
  fireEvent.change(field, { target: { value: 'Too early' } })
  expect(page.calls).toEqual(['reason Too early'])
})

test('UI-16 Esc leaves the card, but not while a word is composed', () => {
  using page = open()
  fireEvent.keyDown(page.getByRole('textbox'), { key: 'Escape', isComposing: true })
  expect(page.calls).toEqual([])
  expect(fireEvent.keyDown(page.card, { key: 'Escape' })).toBe(false)
  expect(page.calls).toEqual(['leave'])
})

test('UI-16 the card says what is asked or names its tool, whose request it is, those behind it, and its shortcut', () => {
  using page = open({}, { frame: { more: 3, of: 'Left', ref: createRef(), onLeave: () => undefined } })
  expect(page.getByRole('heading').textContent).toBe('Allow running this command? · Left')
  expect(page.getByText('3 more')).toBeTruthy()
  page.unmount()
  using alone = open({ tool: 'charts_draw' })
  expect(alone.getByRole('heading').textContent).toBe('Allow the call of charts_draw?')
  expect(alone.queryByText(/more$/)).toBeNull()
})

const values = (page: ReturnType<typeof show>) =>
  [...page.container.querySelectorAll('dd')].map(({ textContent }) => textContent)

test.each(['command', 'cmd', 'script'])('UI-16 the argument %s comes first, without its name', (name) => {
  using page = open({ args: { cwd: '/', [name]: 'make', env: {} } })
  expect(values(page)).toEqual(['make', '/', '{}'])
  expect(page.getByText(name === 'command' ? 'Command' : name).className).toContain('sr-only')
  expect(page.getByText('Folder').className).not.toContain('sr-only')
})

test('UI-16 numbers and switches follow the other arguments in one line, with their names', () => {
  using page = open({ args: { timeout: 120_000, command: 'make', background: false, cwd: '/' } })
  expect(values(page)).toEqual(['make', '/', '2 min', 'no'])
  expect(page.getByText('Time limit').closest('dl')).toBe(page.getByText('In the background').closest('dl'))
  expect(page.getByText('Time limit').className).not.toContain('sr-only')
})

test('UI-16 arguments of a tool that is not built in keep their names and values', () => {
  using page = open({ tool: 'charts_draw', args: { timeout: 120_000, background: false } })
  expect(values(page)).toEqual(['120000', 'false'])
  expect(page.getByText('timeout')).toBeTruthy()
})

test('UI-16 a command that is no text is shown under its name', () => {
  using page = open({ args: { command: ['rm', '-r'] } })
  expect(values(page)).toEqual(['[\n  "rm",\n  "-r"\n]'])
  expect(page.getByText('Command').className).not.toContain('sr-only')
})

test('UI-16 unseen characters of the tool, the arguments, the reason and the patterns are codes', () => {
  using page = open({
    tool: 'ba\u200Bsh',
    args: { 'na\u202Eme': 'rm \u2066x', list: ['a\u200Db'] },
    reason: 'Be\u0000cause',
    patterns: ['a\u202E*', 'b'],
  })
  expect(page.card.textContent).toContain('Allow the call of ba\\u{200b}sh?')
  expect(page.card.textContent).toContain('na\\u{202e}me')
  expect(values(page)).toEqual(['rm \\u{2066}x', '[\n  "a\\u{200d}b"\n]'])
  expect(page.card.textContent).toContain('Be\\u{0}cause')
  expect(page.getByRole('radio', { name: 'a\\u{202e}*' })).toBeTruthy()
  expect(page.card.textContent).not.toMatch(/[^\P{C}\n\t]/u)
})

test('UI-16 a call without arguments says so', () => {
  using page = open({ args: {} })
  expect(page.getByText('It has no arguments.')).toBeTruthy()
})

const field = (value: string) => {
  const element = document.createElement('textarea')
  element.className = 'composer-field'
  element.value = value
  document.body.append(element)
  return { element, [Symbol.dispose]: () => element.remove() }
}
const beside = { more: 0, writing: false, ref: createRef<HTMLElement>(), onLeave: () => undefined }

test('UI-42 one digit decides while the focus is in the empty message field, and no digit gets into it', () => {
  using page = open({}, { frame: beside })
  using message = field('')
  expect(fireEvent.keyDown(message.element, { key: '2' })).toBe(false)
  expect(page.calls).toEqual(['once'])
  fireEvent.keyDown(document.body, { key: '1' })
  expect(page.calls).toEqual(['once', 'deny'])
})

test('UI-42 a digit after other text is text, and one with Ctrl and Shift decides there too', () => {
  using page = open({}, { frame: { ...beside, writing: true } })
  using message = field('I need ')
  expect(fireEvent.keyDown(message.element, { key: '2', code: 'Digit2' })).toBe(true)
  expect(page.calls).toEqual([])
  fireEvent.keyDown(message.element, { key: '"', code: 'Digit2', ctrlKey: true, shiftKey: true })
  expect(page.calls).toEqual(['once'])
  const badge = page.getByRole('button', { name: 'Allow once' }).querySelector('[aria-hidden]')
  expect(badge?.className).toContain('opacity-25')
})

test('UI-42 a digit for a dialog, a list or another field over the page decides nothing', () => {
  using page = open({}, { frame: beside })
  for (const html of ['<div role="dialog"><button></button></div>', '<input type="search">', '<textarea>']) {
    const box = document.createElement('div')
    box.innerHTML = html
    document.body.append(box)
    fireEvent.keyDown(box.querySelector('button, input, textarea') ?? box, { key: '2' })
    box.remove()
  }
  expect(page.calls).toEqual([])
})

test('UI-42 beside another card digits count inside of a card only', () => {
  using page = open()
  fireEvent.keyDown(document.body, { key: '2' })
  expect(page.calls).toEqual([])
})

test('UI-42 several calls of one tool in a step offer to show all of them', () => {
  using page = open({}, { alike: 3, onShowAll: () => page.calls.push('all') })
  expect(page.labels()).toEqual(['Deny', 'Allow once', 'In this chat', 'In this folder', 'All 3…'])
  page.press('5')
  expect(page.calls).toEqual(['all'])
})
