import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRouter } from './route.ts'

/** What of a window a router uses: an address bar with its steps. */
function addressBar() {
  const steps = ['/']
  const address = () => new URL(steps.at(-1) ?? '/', 'http://localhost')
  const bar = Object.assign(new EventTarget(), {
    history: {
      pushState: (_state: unknown, _title: string, path: string) => void steps.push(path),
      replaceState: (_state: unknown, _title: string, path: string) => void steps.splice(-1, 1, path),
    },
    location: {
      get pathname() {
        return address().pathname
      },
      get hash() {
        return address().hash
      },
      get search() {
        return address().search
      },
    },
  })
  const goTo = (path: string, event: 'popstate' | 'hashchange') => {
    steps.splice(-1, 1, path)
    bar.dispatchEvent(new Event(event))
  }
  return { bar, steps, goTo }
}

let page = addressBar()

beforeEach(() => {
  page = addressBar()
  vi.stubGlobal('window', page.bar)
})
afterEach(() => void vi.unstubAllGlobals())

test('UI-5 going to a chat adds a step to the address bar, and watchers hear of it', () => {
  const router = createRouter('/')
  const listener = vi.fn()
  router.subscribe(listener)
  router.push({ sessionId: 'ses_1', anchor: 'msg_1' })
  expect(page.steps).toEqual(['/', '/s/ses_1#msg_1'])
  expect(router.get()).toEqual({ sessionId: 'ses_1', anchor: 'msg_1' })
  expect(listener).toHaveBeenCalledOnce()
})

test('UI-5 a change in place leaves no step to go back to', () => {
  const router = createRouter('/')
  router.replace({ sessionId: 'ses_1', anchor: null })
  expect(page.steps).toEqual(['/s/ses_1'])
})

test('UI-5 back, forward and another anchor are followed until the page is left', () => {
  const router = createRouter('/')
  const leave = router.listen()
  page.goTo('/s/ses_2', 'popstate')
  expect(router.get().sessionId).toBe('ses_2')
  page.goTo('/s/ses_2#msg_9', 'hashchange')
  expect(router.get().anchor).toBe('msg_9')
  leave()
  page.goTo('/', 'popstate')
  expect(router.get().sessionId).toBe('ses_2')
})

test('UI-5 a page begins with what it was rendered for, and takes its anchor once it is alive', () => {
  page.goTo('/s/ses_3#msg_3', 'popstate')
  const router = createRouter('/s/ses_3')
  expect(router.get()).toEqual({ sessionId: 'ses_3', anchor: null })
  router.listen()()
  expect(router.get()).toEqual({ sessionId: 'ses_3', anchor: 'msg_3' })
})
