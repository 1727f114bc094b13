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
  return Object.assign(page, { announced: () => page.getByRole('status').textContent })
}

test('UI-23 nothing is announced without a running reply', () => {
  using page = listen(null)
  breathe()
  expect(page.announced()).toBe('')
})

test('UI-23 each sentence of a reply is announced once and whole', () => {
  using page = listen('One. Tw')
  breathe()
  expect(page.announced()).toBe('One.')
  page.rerender(announcer('One. Two is lon'))
  breathe()
  expect(page.announced()).toBe('One.')
  page.rerender(announcer('One. Two is longer. Three! And'))
  breathe()
  expect(page.announced()).toBe('Two is longer. Three!')
})

test('UI-23 a reply that ends within one interval is announced whole at its end', () => {
  using page = listen('Yes, it is')
  page.rerender(announcer(null))
  expect(page.announced()).toBe('Yes, it is The reply has ended.')
})

test('UI-23 when every sentence was announced, only the end is', () => {
  using page = listen('One. ')
  breathe()
  page.rerender(announcer(null))
  expect(page.announced()).toBe('The reply has ended.')
})

test('UI-23 code that is still written is not read out, nor what follows taken for code', () => {
  using page = listen('Look.\n\n```js\nlet a = 1\nlet b')
  breathe()
  expect(page.announced()).toBe('Look.')
  page.rerender(announcer('Look.\n\n```js\nlet a = 1\nlet b = 2\n```\n\nThat was it. So'))
  breathe()
  expect(page.announced()).toBe('That was it.')
})

test('UI-23 a reply that follows another begins anew', () => {
  using page = listen('One. ')
  breathe()
  page.rerender(announcer('Other. ', 's'))
  expect(page.announced()).toBe('The reply has begun.')
  breathe()
  expect(page.announced()).toBe('Other.')
})
