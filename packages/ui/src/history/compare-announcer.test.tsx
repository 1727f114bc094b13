// @vitest-environment happy-dom
import type { ChatMessage, SessionStatus } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { sampleMessage, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { CompareAnnouncer } from './compare-announcer.tsx'
import type { CompareSide } from './compare-side.ts'

const busy = (runId = 'run_1'): SessionStatus => ({ state: 'busy', runId, startedAt: 0 })
const IDLE: SessionStatus = { state: 'idle' }

type Facts = { status?: SessionStatus; streamingId?: string | null; message?: ChatMessage }

function element({ status = IDLE, streamingId = null, message }: Facts) {
  const side: CompareSide = { id: 'a', name: 'Oak', href: '/s/a', status, streamingId }
  return <CompareAnnouncer side={side} message={message} />
}

function announcer(facts: Facts = {}) {
  const page = show(element(facts))
  const then = (next: Facts) => {
    page.rerender(element(next))
    return page.getByRole('status').textContent
  }
  return Object.assign(page, { said: () => page.getByRole('status').textContent, then })
}

test('UI-23 a side that was at rest when it was opened announces nothing', () => {
  using page = announcer({ message: textMessage('m1', 'assistant', 'Black.') })
  expect(page.said()).toBe('')
})

test('UI-23 a reply that was being written when the comparison was opened is announced', () => {
  using page = announcer({ status: busy(), streamingId: 'm1' })
  expect(page.said()).toBe('Oak: the reply has begun.')
})

test('UI-23 the words of a reply in progress are not announced', () => {
  using page = announcer({ status: busy(), streamingId: 'm1' })
  for (const text of ['Bl', 'Black.', 'Black. And more.']) {
    const message = textMessage('m1', 'assistant', text)
    expect(page.then({ status: busy(), streamingId: 'm1', message })).toBe('Oak: the reply has begun.')
  }
})

test('UI-23 a second reply is announced like the first', () => {
  using page = announcer()
  const said = [
    page.then({ status: busy('run_1'), streamingId: 'm1' }),
    page.then({}),
    page.then({ status: busy('run_2'), streamingId: 'm2' }),
    page.then({}),
  ]
  const [begun, ended] = ['Oak: the reply has begun.', 'Oak: the reply has ended.']
  expect(said).toEqual([begun, ended, begun, ended])
})

test('UI-23 a run that thinks before it writes announces no reply', () => {
  using page = announcer()
  expect(page.then({ status: busy() })).toBe('')
})

test('UI-23 a run that is retried says so by the name of its side, and then that the reply has begun', () => {
  const retrying: SessionStatus = {
    state: 'retrying',
    runId: 'run_1',
    startedAt: 0,
    attempt: 2,
    message: 'The well is dry.',
    retryAt: 9,
  }
  using page = announcer({ status: busy() })
  expect(page.then({ status: retrying })).toMatch(/^Oak: .*The well is dry\.$/)
  expect(page.then({ status: busy(), streamingId: 'm1' })).toBe('Oak: the reply has begun.')
})

test('UI-23 an error of a run that ended before the comparison was opened is not announced', () => {
  const failed: SessionStatus = {
    state: 'error',
    runId: 'run_0',
    code: 'PROVIDER_ERROR',
    message: 'The well is dry.',
  }
  using page = announcer({ status: failed })
  expect(page.said()).toBe('')
})

test('UI-23 a reply that ended well is announced as ended and not as an outcome', () => {
  const message = sampleMessage('m1', 'assistant', [{ type: 'text', text: 'Black.', state: 'done' }], {
    runId: 'run_1',
    finishReason: 'stop',
  })
  using page = announcer({ status: busy(), streamingId: 'm1', message })
  expect(page.then({ message })).toBe('Oak: the reply has ended.')
})

test('UI-23 the live region is polite and is the same from first to last', () => {
  using page = announcer()
  const region = page.getByRole('status')
  expect(region.getAttribute('aria-live')).toBe('polite')
  page.then({ status: busy(), streamingId: 'm1' })
  page.then({})
  expect(page.getByRole('status')).toBe(region)
})
