// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { ThreadAnnouncer } from './thread-announcer.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const announcer = (text: string | null, id = 'r') => (
  <ThreadAnnouncer streaming={text === null ? null : textMessage(id, 'assistant', text)} />
)
const breathe = () => act(() => vi.advanceTimersByTime(2_500))

function listen(text: string | null) {
  const page = show(announcer(text))
  return Object.assign(page, { told: () => page.getByRole('status').textContent })
}

test('UI-23 nothing is told while nothing is written', () => {
  using page = listen(null)
  breathe()
  expect(page.told()).toBe('')
})

test('UI-23 each sentence of a reply is told once, and none by halves', () => {
  using page = listen('One. Tw')
  breathe()
  expect(page.told()).toBe('One.')
  page.rerender(announcer('One. Two is lon'))
  breathe()
  expect(page.told()).toBe('One.')
  page.rerender(announcer('One. Two is longer. Three! And'))
  breathe()
  expect(page.told()).toBe('Two is longer. Three!')
})

test('UI-23 a reply that is over before a breath is told whole at its end', () => {
  using page = listen('Yes, it is')
  page.rerender(announcer(null))
  expect(page.told()).toBe('Yes, it is The reply has ended.')
})

test('UI-23 a reply that has been told but for nothing is only said to have ended', () => {
  using page = listen('One. ')
  breathe()
  page.rerender(announcer(null))
  expect(page.told()).toBe('The reply has ended.')
})

test('UI-23 code that is still written is not read out, nor what follows taken for code', () => {
  using page = listen('Look.\n\n```js\nlet a = 1\nlet b')
  breathe()
  expect(page.told()).toBe('Look.')
  page.rerender(announcer('Look.\n\n```js\nlet a = 1\nlet b = 2\n```\n\nThat was it. So'))
  breathe()
  expect(page.told()).toBe('That was it.')
})

test('UI-23 a reply that follows another begins anew', () => {
  using page = listen('One. ')
  breathe()
  page.rerender(announcer('Other. ', 's'))
  expect(page.told()).toBe('The reply has begun.')
  breathe()
  expect(page.told()).toBe('Other.')
})
