// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { Composer } from './composer.tsx'
import { MentionList, type MentionListProps } from './mention-list.tsx'

const PATHS = ['README.md', 'src/read.ts']
const never = () => undefined

type WritingProps = {
  agents?: MentionListProps['agents']
  paths: readonly string[]
  onQuery: (query: string | null) => void
  onSend: () => void
  onEscape: () => void
}

function Writing({ agents = [], paths, onQuery, onSend, onEscape }: WritingProps) {
  const [value, setValue] = useState('')
  return (
    <Composer
      value={value}
      onValueChange={setValue}
      attachments={[]}
      onAttach={never}
      onRemoveAttachment={never}
      running
      onSend={onSend}
      onStop={never}
      onEscape={onEscape}
      mentions={(field) => <MentionList {...field} agents={agents} paths={paths} onQuery={onQuery} />}
    />
  )
}

function write(text: string, paths: readonly string[] = PATHS) {
  const on = { onQuery: vi.fn(), onSend: vi.fn(), onEscape: vi.fn() }
  const page = show(<Writing paths={paths} {...on} />)
  const field = page.getByRole('textbox', { name: 'Message' })
  if (!(field instanceof HTMLTextAreaElement)) throw new Error('The field is a text area.')
  const type = (value: string) => {
    fireEvent.change(field, { target: { value, selectionStart: value.length, selectionEnd: value.length } })
  }
  type(text)
  const list = () => page.queryByRole('listbox', { name: 'Subagents and files' })
  return { page, field, type, list, on, key: (key: string) => fireEvent.keyDown(field, { key }) }
}

test('UI-12 subagents come before files, and are written by their names', () => {
  const agents = [{ id: 'explore', description: 'Finds out' }]
  const on = { onQuery: never, onSend: never, onEscape: never }
  using page = show(<Writing agents={agents} paths={PATHS} {...on} />)
  const field = page.getByRole('textbox', { name: 'Message' })
  fireEvent.change(field, { target: { value: '@ex', selectionStart: 3, selectionEnd: 3 } })
  expect(page.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'exploreFinds out',
    'README.md',
    'read.tssrc/read.ts',
  ])
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(field).toHaveProperty('value', '@explore ')
})

test('UI-12 an @ lists files while the field keeps the focus and names the active one', () => {
  const { page, field, list, on } = write('see @re')
  using _page = page
  expect(on.onQuery).toHaveBeenLastCalledWith('re')
  expect(page.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'README.md',
    'read.tssrc/read.ts',
  ])
  expect(field.getAttribute('aria-controls')).toBe(list()?.id)
  const active = field.getAttribute('aria-activedescendant') ?? ''
  expect(document.getElementById(active)?.getAttribute('aria-selected')).toBe('true')
})

test.for(['Enter', 'Tab'])('UI-12 %s writes the active file, and sends nothing', (key) => {
  const { page, field, list, on, key: press } = write('see @re')
  using _page = page
  press('ArrowDown')
  press(key)
  expect(field.value).toBe('see @src/read.ts ')
  expect(field.selectionStart).toBe(17)
  expect([list(), on.onSend.mock.calls]).toEqual([null, []])
  expect(on.onQuery).toHaveBeenLastCalledWith(null)
})

test('UI-12 a press writes a file, and the field keeps the focus', () => {
  const { page, field } = write('@re')
  using _page = page
  fireEvent.click(page.getAllByRole('option')[0] ?? field)
  expect(field.value).toBe('@README.md ')
  expect(document.activeElement).toBe(field)
})

test('UI-12 Esc leaves the list alone, without stopping the run, until another @', () => {
  const { page, type, list, on, key } = write('@re')
  using _page = page
  key('Escape')
  expect([list(), on.onEscape.mock.calls]).toEqual([null, []])
  type('@rea')
  expect(list()).toBeNull()
  type('@rea @re')
  expect(list()).not.toBeNull()
})

test('UI-12 where nothing is found there is no list, and Enter has its meaning', () => {
  const { page, list, on, key } = write('@zebra', [])
  using _page = page
  expect(list()).toBeNull()
  key('Enter')
  expect(on.onSend).toHaveBeenCalledOnce()
})
