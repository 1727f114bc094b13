// @vitest-environment happy-dom

import { useRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { useAutoGrow } from './use-auto-grow.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function Field({ text }: { text: string }) {
  const field = useRef<HTMLTextAreaElement>(null)
  useAutoGrow(field, text)
  return (
    <form>
      <textarea ref={field} readOnly value={text} />
    </form>
  )
}

/** Gives text areas the height of their lines; returns the parent's minimum height at each measurement. */
function layOut() {
  const kept: string[] = []
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(80)
  vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function (
    this: HTMLTextAreaElement,
  ) {
    kept.push(this.parentElement?.style.minHeight ?? '')
    return this.value.split('\n').length * 20
  })
  return kept
}

test('UI-12 a field is as high as its text, and its parent keeps its height while the text is measured', () => {
  vi.stubGlobal('CSS', { supports: () => false })
  const kept = layOut()
  using page = show(<Field text="one" />)
  const area = page.getByRole('textbox')
  expect(area.style.height).toBe('20px')
  page.rerender(<Field text={'one\ntwo\nthree'} />)
  expect(area.style.height).toBe('60px')
  page.rerender(<Field text="" />)
  expect(area.style.height).toBe('20px')
  expect(kept).toEqual(['80px', '80px', '80px'])
  expect(area.parentElement?.style.minHeight).toBe('')
})

test('UI-12 a field that CSS sizes is not measured', () => {
  vi.stubGlobal('CSS', { supports: (name: string) => name === 'field-sizing' })
  const kept = layOut()
  using page = show(<Field text={'one\ntwo'} />)
  expect(page.getByRole('textbox').style.height).toBe('')
  expect(kept).toEqual([])
})
