// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SETTINGS_SECTIONS } from '../stores/route.ts'
import { useSettingsLinks } from './use-settings-links.ts'

/** Whether the last press was left to the browser, which is kept from loading a page here. */
let leftToBrowser: boolean | null = null

function onClick(event: Event): void {
  leftToBrowser = !event.defaultPrevented
  event.preventDefault()
}

beforeEach(() => {
  leftToBrowser = null
  window.addEventListener('click', onClick)
})

afterEach(() => {
  cleanup()
  window.removeEventListener('click', onClick)
})

type PageProps = { href: string; open: (section: string) => void; onPress?: (event: Event) => void }

function Page({ href, open, onPress }: PageProps) {
  useSettingsLinks(open)
  return (
    <a href={href} onClick={({ nativeEvent }) => onPress?.(nativeEvent)}>
      <b>Follow</b>
    </a>
  )
}

function follow(href: string, held: object = {}) {
  const open = vi.fn<(section: string) => void>()
  render(<Page href={href} open={open} />)
  fireEvent.click(screen.getByText('Follow'), held)
  return open.mock.calls.flat()
}

test.for(SETTINGS_SECTIONS)('UI-31 a link to the section %s opens it without loading a page', (section) => {
  expect(follow(`/settings/${section}`)).toEqual([section])
  expect(leftToBrowser).toBe(false)
})

test.for(['/settings', '/settings/', '/settings/attic'])(
  'UI-31 a link to %s opens the first section',
  (href) => {
    expect(follow(href)).toEqual(['models'])
  },
)

test.for([
  '/',
  '/s/ses_1',
  '/settings-of-old',
  '/settings/models/more',
  'https://example.com/settings/models',
])('UI-31 a link to %s is left to the browser', (href) => {
  expect(follow(href)).toEqual([])
  expect(leftToBrowser).toBe(true)
})

test.for([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'UI-31 a press with %o opens the settings where the browser says, such as in a tab',
  (held) => {
    expect(follow('/settings/models', held)).toEqual([])
    expect(leftToBrowser).toBe(true)
  },
)

test('UI-31 a press that something else has used opens nothing', () => {
  const open = vi.fn()
  render(<Page href="/settings/models" open={open} onPress={(event) => event.preventDefault()} />)
  fireEvent.click(screen.getByText('Follow'))
  expect(open).not.toHaveBeenCalled()
})

test('UI-31 a press beside a link opens nothing', () => {
  const open = vi.fn()
  render(<Page href="/settings/models" open={open} />)
  fireEvent.click(document.body)
  fireEvent.click(document)
  expect(open).not.toHaveBeenCalled()
})

test('UI-31 the links are followed only as long as the page is there', () => {
  const open = vi.fn()
  const page = render(<Page href="/settings/models" open={open} />)
  const link = document.createElement('a')
  link.href = '/settings/data'
  document.body.append(link)
  fireEvent.click(link)
  expect(open.mock.calls).toEqual([['data']])
  page.unmount()
  fireEvent.click(link)
  link.remove()
  expect(open).toHaveBeenCalledOnce()
  expect(leftToBrowser).toBe(true)
})
