// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copy-text.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'execCommand')
  document.body.replaceChildren()
})

/** A browser that copies what is selected, if it copies at all. */
function oldBrowser({ copies, clipboard }: { copies: boolean; clipboard?: object }) {
  const taken: string[] = []
  vi.stubGlobal('navigator', { ...navigator, clipboard })
  Object.assign(document, {
    execCommand: () => {
      const field = document.activeElement
      if (copies && field instanceof HTMLTextAreaElement) taken.push(field.value)
      return copies
    },
  })
  return taken
}

test('UI-10 a page without a clipboard copies the old way, and the focus is where it was', async () => {
  const taken = oldBrowser({ copies: true })
  const button = document.createElement('button')
  document.body.append(button)
  button.focus()
  expect(await copyText('Oak\ngall')).toBe(true)
  expect(taken).toEqual(['Oak\ngall'])
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
})

test('UI-10 a clipboard that refuses is asked the old way', async () => {
  const writeText = vi.fn(() => Promise.reject(new Error('Not allowed')))
  const taken = oldBrowser({ copies: true, clipboard: { writeText } })
  expect(await copyText('Words')).toBe(true)
  expect(taken).toEqual(['Words'])
})

test('UI-10 a copy that fails is reported, and leaves no element behind', async () => {
  oldBrowser({ copies: false })
  expect(await copyText('Words')).toBe(false)
  Reflect.deleteProperty(document, 'execCommand')
  expect(await copyText('Words')).toBe(false)
  expect(document.querySelector('textarea')).toBeNull()
})

test('UI-10 UI-23 inside a dialog the temporary field is in the dialog, so that the dialog keeps the focus', async () => {
  oldBrowser({ copies: true })
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  const button = dialog.appendChild(document.createElement('button'))
  document.body.append(dialog)
  button.focus()
  const outside = vi.fn()
  document.body.addEventListener('focusin', ({ target }) => {
    if (target instanceof Node && !dialog.contains(target)) outside()
  })
  expect(await copyText('Words')).toBe(true)
  expect(outside).not.toHaveBeenCalled()
})
