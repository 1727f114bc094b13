// @vitest-environment happy-dom
import type { FileChoice, FileFate } from '@palimpsest/core/domain'
import { fireEvent, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { changesWords } from '../messages/en-changes.ts'
import { show } from '../testing/show.tsx'
import { FileFates } from './file-fates.tsx'

const FATES: FileFate[] = [
  { path: 'agent.ts', fate: 'restored' },
  { path: 'mine.ts', fate: 'conflict' },
  { path: 'film.mp4', fate: 'not-kept', reason: 'too-large' },
]

function fates(choices: [string, FileChoice][] = []) {
  const onChoose = vi.fn()
  const page = show(
    <FileFates words={changesWords} fates={FATES} choices={new Map(choices)} onChoose={onChoose} />,
  )
  const row = (path: string) => page.getByText(path).closest('li') as HTMLElement
  return Object.assign(page, { onChoose, row })
}

test('RW-12 each file is named with what will happen to it, and why one is not kept', () => {
  using page = fates()
  expect(page.row('agent.ts').textContent).toContain('restored')
  expect(page.row('film.mp4').textContent).toContain('not kept: too large')
  expect(within(page.row('agent.ts')).queryAllByRole('radio')).toEqual([])
})

test('RW-12 a file that somebody else has changed stays unless a person chooses otherwise', () => {
  using page = fates()
  const options = within(page.row('mine.ts')).getAllByRole<HTMLInputElement>('radio')
  expect(options.map(({ checked }) => checked)).toEqual([true, false, false])
  fireEvent.click(within(page.row('mine.ts')).getByText('Keep both'))
  expect(page.onChoose).toHaveBeenCalledExactlyOnceWith('mine.ts', 'both')
})

test('RW-12 a choice that was made is shown as chosen', () => {
  using page = fates([['mine.ts', 'restore']])
  expect(within(page.row('mine.ts')).getByRole<HTMLInputElement>('radio', { name: 'Restore' }).checked).toBe(
    true,
  )
})
