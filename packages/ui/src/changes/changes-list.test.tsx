// @vitest-environment happy-dom
import { fireEvent, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { changesWords } from '../messages/en-changes.ts'
import { show } from '../testing/show.tsx'
import { type ChangedFileView, ChangesList, type ChangesListProps, FileParts } from './changes-list.tsx'

const FILES: ChangedFileView[] = [
  { path: 'src/ink.ts', change: 'changed', lines: { added: 2, removed: 1 }, now: 'as-left' },
  { path: 'new.txt', change: 'created', lines: { added: 1, removed: 0 }, now: 'changed-since' },
  { path: 'old.bin', change: 'deleted', lines: null, now: 'as-left' },
  { path: 'back.txt', change: 'unchanged', lines: { added: 0, removed: 0 }, now: 'as-left' },
]

function list(props: Partial<ChangesListProps> = {}) {
  const on = {
    onScope: vi.fn(),
    onRevert: vi.fn(),
    onResolve: vi.fn(),
    onSettle: vi.fn(),
    onCopyPatch: vi.fn(),
  }
  const page = show(
    <ChangesList
      words={changesWords}
      files={FILES}
      coverage="all"
      notKept={[]}
      conflicts={[]}
      pending={null}
      scope="chat"
      disabled={false}
      opened={null}
      diffOf={(path) => <p>difference of {path}</p>}
      {...on}
      {...props}
    />,
  )
  return Object.assign(page, { on, row: (path: string) => page.getByText(path).closest('li') as HTMLElement })
}

test('UI-45 each changed file is listed with its counts, with what became of it, and with what somebody else did since', () => {
  using page = list()
  expect(page.row('src/ink.ts').textContent).toContain('2 lines added, 1 line removed')
  expect(page.row('new.txt').textContent).toMatch(/New.*Changed by somebody else since/)
  expect(page.row('old.bin').textContent).toContain('Deleted')
  expect(page.row('old.bin').textContent).not.toContain('lines')
})

test('UI-45 a file opens to its difference and closes again; one that is pointed at is open at once', () => {
  using page = list({ opened: 'new.txt' })
  expect(page.getByText('difference of new.txt')).toBeDefined()
  const button = within(page.row('src/ink.ts')).getByRole('button', { name: /^src\/ink/ })
  fireEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(page.getByText('difference of src/ink.ts')).toBeDefined()
  fireEvent.click(button)
  expect(page.queryByText('difference of src/ink.ts')).toBeNull()
})

test('UI-45 one file or all are taken back, but none that is as it was before', () => {
  using page = list()
  fireEvent.click(page.getByRole('button', { name: 'Take back: src/ink.ts' }))
  expect(page.on.onRevert).toHaveBeenLastCalledWith(['src/ink.ts'])
  fireEvent.click(page.getByRole('button', { name: 'Take all back' }))
  expect(page.on.onRevert).toHaveBeenLastCalledWith(null)
  expect(page.queryByRole('button', { name: 'Take back: back.txt' })).toBeNull()
})

test('UI-45 while a run works nothing can be taken back', () => {
  using page = list({
    disabled: true,
    conflicts: [{ operationId: 'op', path: 'a' }],
    pending: { paths: ['b'] },
  })
  for (const name of ['Take back: src/ink.ts', 'Take all back', 'Keep yours', 'Finish restoring'])
    expect(page.getByRole('button', { name })).toHaveProperty('disabled', true)
})

test.each([
  ['Keep yours', 'keep'],
  ['Restore', 'restore'],
  ['Keep both', 'both'],
] as const)(
  'UI-45 a file that stayed because somebody else had changed it is decided by %s',
  (name, choice) => {
    using page = list({ conflicts: [{ operationId: 'op_1', path: 'mine.txt' }] })
    const group = page.getByRole('group', { name: 'What to do with mine.txt' })
    fireEvent.click(within(group).getByRole('button', { name }))
    expect(page.on.onResolve).toHaveBeenCalledExactlyOnceWith('op_1', 'mine.txt', choice)
  },
)

test('UI-45 files that are not restored yet are tried again or left', () => {
  using page = list({ pending: { paths: ['a', 'b'] } })
  expect(page.getByText('2 files are not restored yet.')).toBeDefined()
  fireEvent.click(page.getByRole('button', { name: 'Finish restoring' }))
  fireEvent.click(page.getByRole('button', { name: 'Go on with the files as they are' }))
  expect(page.on.onSettle.mock.calls).toEqual([[false], [true]])
})

test('UI-45 what was not kept is named with the reason, and so is a folder in which too little is kept', () => {
  using page = list({ coverage: 'write-and-edit', notKept: [{ path: 'film.mp4', reason: 'too-large' }] })
  expect(page.getByRole('region', { name: 'Not kept' }).textContent).toContain('film.mp4 too large')
  expect(page.getByText(/the changes of commands are not kept/)).toBeDefined()
})

test('UI-45 a chat that has changed nothing says so, and nothing can be taken back', () => {
  using page = list({ files: [] })
  expect(page.getByText('No files changed')).toBeDefined()
  expect(page.queryByRole('button', { name: 'Take all back' })).toBeNull()
})

test('UI-45 a path with unseen characters is written with their codes', () => {
  using page = list({ files: [{ path: 'a\u202Etxt.exe', change: 'created', lines: null, now: 'as-left' }] })
  expect(page.getByRole('button', { name: 'Take back: a\\u{202e}txt.exe' })).toBeDefined()
})

const TWO = '@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n'
const change = { path: 'a', diff: TWO, added: 2, removed: 2 }

test('UI-45 a part of a difference is taken back by its place; where there is one part, the file is', () => {
  const onRevertPart = vi.fn()
  using page = show(
    <FileParts words={changesWords} change={change} disabled={false} onRevertPart={onRevertPart} />,
  )
  const [, second] = page.getAllByRole('button', { name: 'Take this part back' })
  fireEvent.click(second as HTMLElement)
  expect(onRevertPart).toHaveBeenCalledExactlyOnceWith(1)
  const one = { ...change, diff: '@@ -1 +1 @@\n-a\n+b\n' }
  page.rerender(<FileParts words={changesWords} change={one} disabled={false} onRevertPart={onRevertPart} />)
  expect(page.queryByRole('button')).toBeNull()
})

test('UI-45 of a difference that is cut no part can be taken back', () => {
  using page = show(
    <FileParts
      words={changesWords}
      change={{ ...change, truncated: true }}
      disabled={false}
      onRevertPart={vi.fn()}
    />,
  )
  expect(page.queryByRole('button')).toBeNull()
})

test('UI-45 what is no text says so', () => {
  using page = show(<FileParts words={changesWords} change={null} disabled={false} onRevertPart={vi.fn()} />)
  expect(page.getByText('No text, so no lines are shown.')).toBeDefined()
})
