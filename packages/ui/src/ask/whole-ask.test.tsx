// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { showApproval as open } from '../testing/show-approval.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const lines = (count: number) => Array.from({ length: count }, (_, at) => `echo ${at}`).join('\n')
const long = { args: { command: lines(80) } }

test('PE-8 a command that is in view is allowed at once', () => {
  using page = open()
  expect(page.replies()).toEqual([true, true, true, true])
  expect(page.queryByText('To allow it, open what is folded')).toBeNull()
})

test('PE-8 a long command shows head and tail, and can only be denied until the lines between are opened', () => {
  using page = open(long)
  expect(page.card.textContent).toMatch(/echo 0\n.*echo 7\n.*66 more lines.*echo 74\n.*echo 79/s)
  expect(page.card.textContent).not.toContain('echo 30')
  expect(page.replies()).toEqual([true, false, false, false])
  for (const key of ['2', '3', '4']) page.press(key)
  for (const button of page.getAllByRole('button', { name: /^(Allow once|In this)/ })) fireEvent.click(button)
  expect(page.calls).toEqual([])
  expect(page.getByText('To allow it, open what is folded')).toBeTruthy()
  fireEvent.click(page.getByRole('button', { name: /66 more lines/ }))
  expect(page.container.querySelector('dd')?.textContent).toBe(lines(80))
  expect(page.replies()).toEqual([true, true, true, true])
  for (const key of ['2', '3', '4']) page.press(key)
  expect(page.calls).toEqual(['once', 'session git push', 'project git push'])
})

test('PE-8 the key 0 opens what is folded, and its focus stays in the card', () => {
  using page = open(long)
  page.getByRole('button', { name: /66 more lines/ }).focus()
  page.press('0')
  expect(page.card.contains(document.activeElement)).toBe(true)
  page.press('2')
  expect(page.calls).toEqual(['once'])
})

test('PE-8 a folded call can be denied', () => {
  using page = open(long)
  page.press('1')
  expect(page.calls).toEqual(['deny'])
})

test('PE-8 the reason is above what will be done', () => {
  using page = open()
  const { textContent: shown } = page.card
  expect(shown?.indexOf('No rule allows this.')).toBeLessThan(shown?.indexOf('git push') ?? -1)
})

test('PE-8 the end of a line is shown, however many blanks or characters are before it', () => {
  using blanks = open({ args: { command: `ls${' '.repeat(500)}; rm x` } })
  expect(blanks.container.querySelector('dd')?.textContent).toBe('ls500 spaces; rm x')
  expect(blanks.replies()).toEqual([true, true, true, true])
  blanks.unmount()
  using page = open({ args: { command: `echo ${'a'.repeat(20_000)}; rm x` } })
  expect(page.container.querySelector('dd')?.textContent).toMatch(
    /^echo a.*19,\d{3} more characters.*; rm x$/,
  )
  expect(page.replies()).toEqual([true, false, false, false])
  page.press('0')
  expect(page.container.querySelector('dd')?.textContent).toBe(`echo ${'a'.repeat(20_000)}; rm x`)
})

test('PE-8 a run of blank lines is named, and what follows it is in view', () => {
  using page = open({ args: { command: `ls${'\n'.repeat(100)}rm x` } })
  expect(page.container.querySelector('dd')?.textContent).toBe('ls\n99 blank lines\nrm x')
  expect(page.replies()).toEqual([true, true, true, true])
})

test('PE-8 many arguments are folded between the first and the last', () => {
  const args = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`key${at}`, `value ${at}`]))
  using page = open({ tool: 'shop_buy', args })
  expect(page.card.textContent).toMatch(/key0.*\d\d more arguments.*value 39/s)
  expect(page.replies()[1]).toBe(false)
  page.press('0')
  expect([...page.container.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual(
    Object.values(args),
  )
  expect(page.replies()[1]).toBe(true)
})

test('PE-8 an argument is whole once it is opened, and nothing of it is drawn', () => {
  const content = `${'a long line\n'.repeat(2_000)}<img src=x> **end**`
  using page = open({ args: { content } })
  page.press('0')
  expect(page.container.querySelector('dd')?.textContent).toBe(content)
  expect(page.container.querySelector('dd img, dd strong')).toBeNull()
})

const change = (removed: number, added: number) => ({
  path: 'a.ts',
  diff: `@@ -1 +1 @@\n${'-old\n'.repeat(removed)}${'+new\n'.repeat(added)}`,
  added,
  removed,
})

test('PE-8 a long difference shows lines that it adds, and all of it before it is allowed', () => {
  using page = open({ tool: 'edit', change: change(200, 200) })
  expect(page.card.textContent).toMatch(/−old.*more lines.*\+new/s)
  expect(page.replies()[1]).toBe(false)
  fireEvent.click(page.getAllByRole('button', { name: /more lines/ })[0] ?? page.card)
  expect(page.card.textContent).toContain(`${'−old'.repeat(200)}${'+new'.repeat(200)}`)
  expect(page.replies()[1]).toBe(true)
})

test('PE-8 of a difference that is cut the card says so, shows the arguments whole, and is allowed only once', () => {
  using page = open({
    tool: 'write',
    args: { path: 'a.ts', content: lines(80) },
    change: { ...change(1, 1), truncated: true },
  })
  expect(page.getByText(/too long to be shown whole/)).toBeTruthy()
  page.press('0')
  expect([...page.container.querySelectorAll('dd')].at(-1)?.textContent).toBe(lines(80))
  expect(page.replies()).toEqual([true, true])
})

test('PE-8 a long pattern of a lasting reply is shown whole before it can be given', () => {
  using page = open({ patterns: [lines(80), 'make *'] })
  expect(page.replies()).toEqual([true, false, false, false])
  page.press('0')
  expect(page.card.textContent).toContain(lines(80))
  fireEvent.click(page.getByRole('radio', { name: 'make *' }))
  expect(page.calls).toEqual(['pattern make *'])
})

test('PE-8 what is further down has to come into view, by scrolling or by the key 0', () => {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(900)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(300)
  using page = open()
  expect(page.replies()).toEqual([true, false, false, false])
  page.press('2')
  expect(page.calls).toEqual([])
  const box = page.getByRole('button', { name: /More below/ }).closest('[tabindex="0"]')
  if (box !== null) box.scrollTop = 600
  fireEvent.scroll(box ?? page.card)
  expect(page.queryByRole('button', { name: /More below/ })).toBeNull()
  page.press('2')
  expect(page.calls).toEqual(['once'])
})
