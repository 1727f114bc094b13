// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { IconButton } from '../popups/icon-button.tsx'
import { show } from '../testing/show.tsx'
import { Button } from './button.tsx'
import { Kbd } from './kbd.tsx'

afterEach(() => void vi.unstubAllGlobals())

test('UI-23 a button inside a form sends it only where it says so', () => {
  const onSubmit = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  using page = show(
    <form onSubmit={onSubmit}>
      <Button>Test</Button>
      <IconButton label="Remove">×</IconButton>
      <Button type="submit">Save</Button>
    </form>,
  )
  fireEvent.click(page.getByRole('button', { name: 'Test' }))
  fireEvent.click(page.getByRole('button', { name: 'Remove' }))
  expect(onSubmit).not.toHaveBeenCalled()
  fireEvent.click(page.getByRole('button', { name: 'Save' }))
  expect(onSubmit).toHaveBeenCalledOnce()
})

test('UI-23 a button that is disabled does nothing, as while a provider is tested', () => {
  const onClick = vi.fn()
  using page = show(
    <>
      <Button disabled onClick={onClick}>
        Test
      </Button>
      <IconButton disabled label="Remove" onClick={onClick} />
    </>,
  )
  for (const button of page.getAllByRole('button')) fireEvent.click(button)
  expect(onClick).not.toHaveBeenCalled()
})

test.each([
  ['primary', 'bg-ink'],
  ['outline', 'border-line-strong'],
  ['quiet', 'text-muted'],
  ['danger', 'bg-danger-fill'],
] as const)('UI-23 a button that is %s looks so, and keeps the size of a control', (variant, look) => {
  using page = show(<Button variant={variant}>Act</Button>)
  const names = page.getByRole('button').className.split(' ')
  expect(names).toContain(look)
  expect(names).toContain('h-control')
})

test('UI-24 a small button is as high as small controls, which are as high as a finger needs', () => {
  using page = show(
    <>
      <Button small>Act</Button>
      <IconButton small label="Ways" />
    </>,
  )
  expect(page.getByRole('button', { name: 'Act' }).className).toContain('h-control-small')
  expect(page.getByRole('button', { name: 'Ways' }).className).toContain('size-control-small')
})

test('UI-23 classes that a caller adds come behind those of the button, which stay', () => {
  using page = show(
    <Button className="absolute" variant="quiet">
      Close
    </Button>,
  )
  const names = page.getByRole('button').className.split(' ')
  expect(names.at(-1)).toBe('absolute')
  expect(names).toContain('text-muted')
})

test('UI-23 a ref to a button of either kind can focus it', () => {
  const [button, icon] = [createRef<HTMLButtonElement>(), createRef<HTMLButtonElement>()]
  using page = show(
    <>
      <Button ref={button}>Act</Button>
      <IconButton ref={icon} label="Ways" />
    </>,
  )
  button.current?.focus()
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Act' }))
  icon.current?.focus()
  expect(document.activeElement).toBe(page.getByRole('button', { name: 'Ways' }))
})

test('UI-23 a button with an icon alone has its name for a screen reader, and keeps its own state', () => {
  using page = show(<IconButton label="Wrap lines" aria-pressed data-kind="wrap" />)
  const button = page.getByRole('button', { name: 'Wrap lines', pressed: true })
  expect(button.dataset['kind']).toBe('wrap')
})

test('UI-23 a button with an icon calls its own handlers beside those of its tooltip', () => {
  const on = { onFocus: vi.fn(), onBlur: vi.fn(), onPointerDown: vi.fn(), onClick: vi.fn() }
  using page = show(<IconButton label="Ways" {...on} />)
  const button = page.getByRole('button')
  fireEvent.focus(button)
  fireEvent.pointerDown(button)
  fireEvent.click(button)
  fireEvent.blur(button)
  for (const handler of Object.values(on)) expect(handler).toHaveBeenCalledOnce()
})

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0)'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)'
const LINUX = 'Mozilla/5.0 (X11; Linux x86_64)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

test.each<[keys: string, userAgent: string, shown: string[]]>([
  ['mod+k', MAC, ['⌘', 'K']],
  ['mod+k', PHONE, ['⌘', 'K']],
  ['mod+k', LINUX, ['Ctrl', 'K']],
  ['mod+k', WINDOWS, ['Ctrl', 'K']],
  ['alt+enter', MAC, ['⌥', '↵']],
  ['alt+enter', WINDOWS, ['Alt', 'Enter']],
  ['shift+esc', MAC, ['⇧', 'esc']],
  ['shift+esc', LINUX, ['Shift', 'Esc']],
  ['?', MAC, ['?']],
  ['/', LINUX, ['/']],
  ['f2', LINUX, ['F2']],
])('UI-3 the shortcut %s on “%s” is shown as %j', (keys, userAgent, shown) => {
  vi.stubGlobal('navigator', { ...navigator, userAgent })
  using page = show(<Kbd keys={keys} />)
  expect([...page.container.querySelectorAll('kbd')].map((key) => key.textContent)).toEqual(shown)
})
