// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { useRef, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ConfirmDialog } from '../shell/confirm-dialog.tsx'
import { show } from '../testing/show.tsx'
import { Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-layer.tsx'

function Counter() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      Count {count}
    </button>
  )
}

function dialog(props: Partial<DialogProps> = {}) {
  const onOpenChange = vi.fn<(open: boolean) => void>()
  const element = (more: Partial<DialogProps> = {}) => (
    <Dialog open onOpenChange={onOpenChange} title="Details" {...props} {...more}>
      {more.children ?? <Counter />}
    </Dialog>
  )
  return Object.assign(show(element()), { onOpenChange, element })
}

test('UI-23 a dialog has its title as its name, also where the title is not seen', async () => {
  using page = dialog({ hideTitle: true })
  await page.findByRole('dialog', { name: 'Details' })
  expect(page.getByText('Details').className).toContain('sr-only')
  page.rerender(page.element({ hideTitle: false }))
  expect(page.getByText('Details').className).not.toContain('sr-only')
})

test('UI-23 what a dialog is about is its description', async () => {
  using page = dialog({ description: 'No way back.' })
  const shown = await page.findByRole('dialog')
  const described = document.getElementById(shown.getAttribute('aria-describedby') ?? '')
  expect(described?.textContent).toBe('No way back.')
})

test('UI-24 a dialog with something that closes it has no button in its corner', async () => {
  using page = dialog()
  await page.findByRole('dialog')
  expect(page.queryByRole('button', { name: 'Close' })).toBeNull()
  page.rerender(page.element({ closable: true }))
  fireEvent.click(page.getByRole('button', { name: 'Close' }))
  expect(page.onOpenChange.mock.calls).toEqual([[false]])
})

test('UI-23 Esc asks to close a dialog, which stays until its owner closes it', async () => {
  using page = dialog()
  fireEvent.keyDown(await page.findByRole('dialog'), { key: 'Escape' })
  expect(page.onOpenChange.mock.calls).toEqual([[false]])
  expect(page.getByRole('dialog', { name: 'Details' })).toBeTruthy()
})

test('UI-23 what is inside a dialog begins anew each time that it opens, and not while it is open', async () => {
  using page = dialog()
  fireEvent.click(await page.findByRole('button', { name: 'Count 0' }))
  page.rerender(page.element({ title: 'More details' }))
  expect(page.getByRole('button', { name: 'Count 1' })).toBeTruthy()
  page.rerender(page.element({ open: false }))
  page.rerender(page.element({ open: true }))
  expect(await page.findByRole('button', { name: 'Count 0' })).toBeTruthy()
})

function Opener() {
  const [open, setOpen] = useState(false)
  const second = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="Details" initialFocus={second}>
        <button type="button">First</button>
        <button type="button" ref={second}>
          Second
        </button>
      </Dialog>
    </>
  )
}

test('UI-23 a dialog puts the focus where it is asked to, and returns it to what had it', async () => {
  using page = show(<Opener />)
  const opener = page.getByRole('button', { name: 'Open' })
  opener.focus()
  fireEvent.click(opener)
  await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Second'))
  fireEvent.keyDown(page.getByRole('dialog'), { key: 'Escape' })
  await vi.waitFor(() => expect(document.activeElement).toBe(opener))
})

test('UI-23 a dialog that is closed is not in the page', () => {
  using page = dialog({ open: false })
  expect(page.queryByRole('dialog')).toBeNull()
  expect(page.queryByText('Details')).toBeNull()
})

function question(props: { danger?: boolean; alternative?: boolean } = {}) {
  const order: string[] = []
  const page = show(
    <ConfirmDialog
      open
      onOpenChange={(open) => order.push(open ? 'open' : 'close')}
      title="Allow?"
      description="It reaches beyond the chat."
      confirmLabel="Allow in this chat"
      onConfirm={() => order.push('confirm')}
      {...(props.danger !== undefined && { danger: props.danger })}
      {...(props.alternative && {
        alternative: { label: 'Allow everywhere', onSelect: () => order.push('alternative') },
      })}
    />,
  )
  return Object.assign(page, { order })
}

test.each([
  ['Cancel', ['close']],
  ['Allow in this chat', ['close', 'confirm']],
  ['Allow everywhere', ['close', 'alternative']],
])('UI-23 a question is closed before %s acts, and only that acts', async (name, expected) => {
  using page = question({ alternative: true })
  fireEvent.click(await page.findByRole('button', { name }))
  expect(page.order).toEqual(expected)
})

test('UI-23 Esc at a question acts on nothing', async () => {
  using page = question({ alternative: true })
  fireEvent.keyDown(await page.findByRole('dialog'), { key: 'Escape' })
  expect(page.order).toEqual(['close'])
})

test.each([true, false])(
  'UI-23 what a question with danger %s confirms has the colour of it',
  async (danger) => {
    using page = question({ danger, alternative: true })
    await page.findByRole('dialog')
    for (const name of ['Allow in this chat', 'Allow everywhere']) {
      expect(page.getByRole('button', { name }).className.includes('bg-danger-fill')).toBe(danger)
    }
    expect(page.getByRole('button', { name: 'Cancel' }).className).not.toContain('bg-danger-fill')
  },
)

test('UI-23 a question with one way to confirm offers no other', async () => {
  using page = question()
  await page.findByRole('dialog')
  expect(page.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Cancel',
    'Allow in this chat',
  ])
})
