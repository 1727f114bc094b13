import { expect, test } from 'vitest'
import { createToasts } from './toasts.ts'

test('UI-4 toasts are shown in the order in which they came, each with an id of its own', () => {
  const toasts = createToasts()
  for (const message of ['One', 'One', 'Two']) toasts.add({ message })
  expect(toasts.get().map(({ message }) => message)).toEqual(['One', 'One', 'Two'])
  expect(new Set(toasts.get().map(({ id }) => id)).size).toBe(3)
})

test('UI-4 a toast that is put away is gone, and its id is never given again', () => {
  const toasts = createToasts()
  toasts.add({ message: 'One' })
  const first = toasts.get()[0]?.id ?? ''
  toasts.dismiss(first)
  toasts.dismiss('unknown')
  toasts.add({ message: 'Two' })
  expect(toasts.get().map(({ message }) => message)).toEqual(['Two'])
  expect(toasts.get()[0]?.id).not.toBe(first)
})

test('UI-4 a call that fails shows a toast, one that succeeds shows none', async () => {
  const toasts = createToasts()
  expect(await toasts.guard(Promise.resolve())).toBe(true)
  expect(toasts.get()).toEqual([])
  expect(await toasts.guard(Promise.reject(new Error('Socket closed')))).toBe(false)
  expect(toasts.get()).toMatchObject([{ tone: 'error', message: 'The server can’t be reached.' }])
})
