// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRouter } from './route.ts'

beforeEach(() => window.history.replaceState(null, '', '/'))
afterEach(() => window.history.replaceState(null, '', '/'))

test('UI-5 going to a chat changes the address, and watchers hear of it', () => {
  const router = createRouter('/')
  const told = vi.fn()
  router.subscribe(told)
  router.push({ sessionId: 'ses_1', anchor: 'msg_1' })
  expect(window.location.pathname + window.location.hash).toBe('/s/ses_1#msg_1')
  expect(router.get()).toEqual({ sessionId: 'ses_1', anchor: 'msg_1' })
  expect(told).toHaveBeenCalledOnce()
})

test('UI-5 a change in place leaves no step to go back to', () => {
  const router = createRouter('/')
  const before = window.history.length
  router.replace({ sessionId: 'ses_1', anchor: null })
  expect(window.history.length).toBe(before)
  expect(window.location.pathname).toBe('/s/ses_1')
})

test('UI-5 back, forward and another anchor are followed until the page is left', () => {
  const router = createRouter('/')
  const leave = router.listen()
  window.history.replaceState(null, '', '/s/ses_2')
  window.dispatchEvent(new Event('popstate'))
  expect(router.get().sessionId).toBe('ses_2')
  window.history.replaceState(null, '', '/s/ses_2#msg_9')
  window.dispatchEvent(new Event('hashchange'))
  expect(router.get().anchor).toBe('msg_9')
  leave()
  window.history.replaceState(null, '', '/')
  window.dispatchEvent(new Event('popstate'))
  expect(router.get().sessionId).toBe('ses_2')
})

test('UI-5 a page begins with what it was rendered for, and takes its anchor once it is alive', () => {
  window.history.replaceState(null, '', '/s/ses_3#msg_3')
  const router = createRouter('/s/ses_3')
  expect(router.get()).toEqual({ sessionId: 'ses_3', anchor: null })
  router.listen()()
  expect(router.get()).toEqual({ sessionId: 'ses_3', anchor: 'msg_3' })
})
