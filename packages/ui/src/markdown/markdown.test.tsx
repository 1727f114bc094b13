// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { expect, test } from 'vitest'
import { whenLoaded } from '../lazy/lazy-module.ts'
import { show } from '../testing/show.tsx'
import { Markdown, markdownRenderer } from './markdown.tsx'

const TEXT = '## Ink\n\nMade of **oak galls**.'

test('UI-6 text is shown without its marks until the renderer is loaded, and is rendered at once from then on', async () => {
  using page = show(<Markdown text={TEXT} streaming={false} />)
  expect(page.container.textContent).toBe('Ink\n\nMade of oak galls.')
  expect(page.container.querySelector('h2')).toBeNull()
  await act(() => whenLoaded(markdownRenderer))
  expect(page.container.querySelector('strong')?.textContent).toBe('oak galls')
  using next = show(<Markdown text={TEXT} streaming />)
  expect(next.container.querySelector('strong')?.textContent).toBe('oak galls')
})
