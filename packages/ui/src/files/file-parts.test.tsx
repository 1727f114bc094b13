// @vitest-environment happy-dom
import { blobUrl, type FilePart } from '@palimpsest/core/domain'
import { fireEvent, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { FileParts } from './file-parts.tsx'

afterEach(() => void vi.unstubAllGlobals())

const text = (filename: string, words = filename): FilePart => ({
  type: 'file',
  mediaType: 'text/plain',
  filename,
  url: `data:text/plain;base64,${btoa(words)}`,
})
const picture = (filename?: string): FilePart => ({
  type: 'file',
  mediaType: 'image/png',
  ...(filename !== undefined && { filename }),
  url: blobUrl('a'.repeat(64)),
})
const remote: FilePart = { type: 'file', mediaType: 'image/png', url: 'https://images.example.org/a.png' }
const absent: FilePart = {
  type: 'file',
  mediaType: 'text/plain',
  filename: 'gone.txt',
  url: 'https://x.example/b',
}

type Page = ReturnType<typeof show>
const open = async (page: Page, name: string) => {
  fireEvent.click(page.getByRole('button', { name: `Open ${name}` }))
  return await page.findByRole('dialog', { name })
}
const press = (page: Page, name: string) => fireEvent.click(page.getByRole('button', { name }))
const arrow = (page: Page, key: string) =>
  fireEvent.keyDown(page.getByRole('link', { name: 'Download' }), { key })

test('UI-33 a file opens by itself, without the arrows and without a place', async () => {
  using page = show(<FileParts parts={[text('a.txt')]} />)
  const dialog = await open(page, 'a.txt')
  expect(page.queryByRole('button', { name: 'Next file' })).toBeNull()
  expect(dialog.textContent).toContain('text/plain · 5 B')
  expect(dialog.textContent).not.toContain('1 of 1')
})

test('UI-33 neither arrow goes beyond the first and the last file', async () => {
  using page = show(<FileParts parts={[text('a.txt'), text('b.txt')]} />)
  await open(page, 'a.txt')
  expect(page.getByRole('button', { name: 'Previous file' })).toHaveProperty('disabled', true)
  arrow(page, 'ArrowLeft')
  expect(page.getByRole('dialog', { name: 'a.txt' })).toBeTruthy()
  arrow(page, 'ArrowRight')
  await page.findByRole('dialog', { name: 'b.txt' })
  arrow(page, 'ArrowRight')
  expect(page.getByRole('dialog', { name: 'b.txt' })).toBeTruthy()
  arrow(page, 'ArrowLeft')
  expect(await page.findByRole('dialog', { name: 'a.txt' })).toBeTruthy()
})

test('UI-33 the arrows pass over files that are not held here', async () => {
  using page = show(<FileParts parts={[text('a.txt'), remote, absent, text('b.txt')]} />)
  const dialog = await open(page, 'a.txt')
  expect(dialog.textContent).toContain('1 of 2')
  press(page, 'Next file')
  expect((await page.findByRole('dialog', { name: 'b.txt' })).textContent).toContain('2 of 2')
})

test('UI-33 the file that is pressed is the one that opens, behind files that are not held too', async () => {
  using page = show(<FileParts parts={[absent, remote, text('a.txt'), text('b.txt')]} />)
  await open(page, 'b.txt')
  await waitFor(() => expect(page.getByRole('textbox', { name: 'b.txt' })).toHaveProperty('value', 'b.txt'))
})

test('UI-33 files of one name and one length are read each for itself', async () => {
  using page = show(<FileParts parts={[text('a.txt', 'one'), text('a.txt', 'two')]} />)
  const [, second] = page.getAllByRole('button', { name: 'Open a.txt' })
  if (second === undefined) throw new Error('Two files were to be shown.')
  fireEvent.click(second)
  await waitFor(() => expect(page.getByRole('textbox')).toHaveProperty('value', 'two'))
  press(page, 'Previous file')
  await waitFor(() => expect(page.getByRole('textbox')).toHaveProperty('value', 'one'))
})

test('UI-33 a file that is not held is named and can’t be opened', () => {
  using page = show(<FileParts parts={[absent]} />)
  expect(page.container.textContent).toBe('gone.txt')
  expect(page.queryByRole('button')).toBeNull()
  expect(page.queryByRole('link')).toBeNull()
})

test('UI-33 a file without a name is called a file, in its button and its dialog', async () => {
  using page = show(<FileParts parts={[picture()]} />)
  expect((await open(page, 'File')).querySelector('img')?.getAttribute('alt')).toBe('File')
})

test('UI-33 Escape closes the dialog, and the file opens again', async () => {
  using page = show(<FileParts parts={[text('a.txt')]} />)
  const dialog = await open(page, 'a.txt')
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
  expect(await open(page, 'a.txt')).toBeTruthy()
})

test('UI-33 the button of the dialog closes it', async () => {
  using page = show(<FileParts parts={[text('a.txt')]} />)
  await open(page, 'a.txt')
  press(page, 'Close')
  await waitFor(() => expect(page.queryByRole('dialog')).toBeNull())
})

test('UI-33 a stored text says that it loads, then that it is no longer stored', async () => {
  let answer: (response: Response) => void = () => undefined
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)))
  using page = show(<FileParts parts={[{ ...text('a.txt'), url: blobUrl('b'.repeat(64)) }]} />)
  const dialog = await open(page, 'a.txt')
  expect(dialog.textContent).toContain('Loading the file')
  answer(new Response('', { status: 404 }))
  await page.findByText('This file is no longer stored.')
  expect(page.getByRole('link', { name: 'Download' })).toBeTruthy()
})

test('UI-33 a long text says that only its beginning is shown', async () => {
  using page = show(<FileParts parts={[text('long.txt', 'x'.repeat(200_001))]} />)
  await open(page, 'long.txt')
  const field = await page.findByRole('textbox', { name: 'long.txt' })
  if (!(field instanceof HTMLTextAreaElement)) throw new Error('A text was to be shown.')
  expect(field.value).toMatch(/^x{200000}\n\nOnly the beginning is shown\./)
  expect(field.readOnly).toBe(true)
})

test('UI-33 a read that the reader left is ended', async () => {
  const signals: AbortSignal[] = []
  vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal)
    return new Promise(() => undefined)
  })
  const stored = { ...text('a.txt'), url: blobUrl('b'.repeat(64)) }
  using page = show(<FileParts parts={[stored, text('b.txt')]} />)
  await open(page, 'a.txt')
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  press(page, 'Next file')
  await page.findByRole('dialog', { name: 'b.txt' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test('UI-33 a picture that failed leaves the next one as it is', async () => {
  using page = show(
    <FileParts parts={[picture('a.png'), { ...picture('b.png'), url: blobUrl('c'.repeat(64)) }]} />,
  )
  const dialog = await open(page, 'a.png')
  const shown = dialog.querySelector('img')
  if (shown) fireEvent.error(shown)
  expect(dialog.textContent).toContain('This file is no longer stored.')
  press(page, 'Next file')
  const next = await page.findByRole('dialog', { name: 'b.png' })
  expect(next.querySelector('img')?.getAttribute('alt')).toBe('b.png')
  expect(next.textContent).not.toContain('no longer stored')
})

test.each(['image/svg+xml', 'text/html', 'application/xhtml+xml'])(
  'SX-3 a file of the type %s is shown as its text and never drawn',
  async (mediaType) => {
    const words = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    using page = show(<FileParts parts={[{ ...text('a.svg', words), mediaType }]} />)
    expect(page.container.querySelector('img')).toBeNull()
    const dialog = await open(page, 'a.svg')
    await waitFor(() => expect(page.getByRole('textbox')).toHaveProperty('value', words))
    expect(dialog.querySelector('img, iframe, object, embed')).toBeNull()
  },
)

test.each(['image/tiff', 'image/x-icon', 'application/pdf', 'image', ''])(
  'SX-3 a held file of the type %j is named, and its bytes are only downloaded',
  async (mediaType) => {
    using page = show(<FileParts parts={[{ ...text('a.bin'), mediaType }]} />)
    expect(page.container.querySelector('img')).toBeNull()
    const dialog = await open(page, 'a.bin')
    expect(dialog.querySelector('img, iframe, object, embed, textarea')).toBeNull()
    expect(dialog.textContent).toMatch(/The browser can’t show this file|A PDF is not shown here/)
  },
)
