// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'
import { Dialog } from '../popups/dialog.tsx'
import { show } from '../testing/show.tsx'
import { holdKeys } from './hold-keys.ts'
import { useHeldKeys } from './use-held-keys.ts'

afterEach(() => void vi.useRealTimers())

const noop = () => undefined

function Page() {
  const [query, setQuery] = useState('')
  return (
    <Dialog open onOpenChange={noop} title="Palette">
      <input aria-label="Find" value={query} onChange={(event) => setQuery(event.target.value)} />
    </Dialog>
  )
}

const arrives = Promise.withResolvers<typeof Page>()
const lazy = lazyModule(() => arrives.promise)

function LatePage() {
  useHeldKeys(true)
  const Part = useLazy(lazy)
  return Part && <Part />
}

test('UI-37 keys typed before a dialog has come are typed into it, and nowhere else', async () => {
  using page = show(
    <>
      <textarea aria-label="Message" />
      <LatePage />
    </>,
  )
  const composer = page.getByRole('textbox', { name: 'Message' })
  composer.focus()
  for (const key of ['i', 'm', 'x', 'Backspace', 'p']) {
    expect(fireEvent.keyDown(composer, { key })).toBe(false)
  }
  arrives.resolve(Page)
  const field = await page.findByRole('textbox', { name: 'Find' })
  await page.findByDisplayValue('imp')
  expect(page.getAllByDisplayValue('')).toEqual([composer])
  expect(fireEvent.keyDown(field, { key: 'o' })).toBe(true)
})

test('UI-37 shortcuts pass, and keys go to the page again once no dialog comes', () => {
  vi.useFakeTimers()
  const field = document.body.appendChild(document.createElement('textarea'))
  const passes = (init: object) => fireEvent.keyDown(field, init)
  holdKeys()
  expect(passes({ key: 'c', ctrlKey: true })).toBe(true)
  expect(passes({ key: 'a' })).toBe(false)
  vi.advanceTimersByTime(5_000)
  expect(passes({ key: 'a' })).toBe(true)
  const cancel = holdKeys()
  expect(passes({ key: 'a' })).toBe(false)
  cancel()
  expect(passes({ key: 'a' })).toBe(true)
})
