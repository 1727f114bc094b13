// @vitest-environment happy-dom
import { blobUrl, type FilePart } from '@palimpsest/core/domain'
import { fireEvent, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { FileParts } from './file-parts.tsx'

const photo: FilePart = {
  type: 'file',
  mediaType: 'image/png',
  filename: 'leaf 1.png',
  url: blobUrl('a'.repeat(64)),
  providerMetadata: { palimpsest: { bytes: 123_456 } },
}
const notes: FilePart = {
  type: 'file',
  mediaType: 'text/plain',
  filename: 'notes.txt',
  url: `data:text/plain;base64,${btoa('iron and gall')}`,
}
const letter: FilePart = { ...photo, mediaType: 'application/msword', filename: 'letter.doc' }

test('UI-33 a file opens in a dialog with its facts, and the arrow keys lead to the others', async () => {
  using page = show(<FileParts parts={[photo, notes, letter]} />)
  fireEvent.click(page.getByRole('button', { name: 'Open leaf 1.png' }))
  const dialog = await page.findByRole('dialog', { name: 'leaf 1.png' })
  expect(dialog.textContent).toContain('image/png · 123 kB · 1 of 3')
  expect(dialog.querySelector('img')?.getAttribute('src')).toBe(photo.url)
  fireEvent.keyDown(page.getByRole('button', { name: 'Next file' }), { key: 'ArrowRight' })
  await page.findByRole('dialog', { name: 'notes.txt' })
  await waitFor(() =>
    expect(page.getByRole('textbox', { name: 'notes.txt' })).toHaveProperty('value', 'iron and gall'),
  )
  fireEvent.click(page.getByRole('button', { name: 'Next file' }))
  await page.findByRole('dialog', { name: 'letter.doc' })
  expect(page.getByRole('dialog').textContent).toContain('The browser can’t show this file')
  expect(page.getByRole('button', { name: 'Next file' })).toHaveProperty('disabled', true)
})

test('UI-33 a file is downloaded under its name, from the store or from the message', async () => {
  using page = show(<FileParts parts={[photo, notes]} />)
  const link = () => page.getByRole('link', { name: 'Download' })
  fireEvent.click(page.getByRole('button', { name: 'Open leaf 1.png' }))
  await page.findByRole('dialog')
  expect(link().getAttribute('href')).toBe(`${photo.url}?name=leaf%201.png`)
  expect(link().getAttribute('download')).toBe('leaf 1.png')
  fireEvent.click(page.getByRole('button', { name: 'Next file' }))
  await page.findByRole('dialog', { name: 'notes.txt' })
  expect(link().getAttribute('href')).toBe(notes.url)
})

test('UI-33 a picture that is no longer stored says so', async () => {
  using page = show(<FileParts parts={[photo]} />)
  fireEvent.click(page.getByRole('button', { name: 'Open leaf 1.png' }))
  const dialog = await page.findByRole('dialog')
  const picture = dialog.querySelector('img')
  if (picture) fireEvent.error(picture)
  expect(dialog.textContent).toContain('This file is no longer stored.')
})

test('UI-33 a PDF is not run in the page: it says why, and is downloaded', async () => {
  using page = show(<FileParts parts={[{ ...photo, mediaType: 'application/pdf', filename: 'plan.pdf' }]} />)
  fireEvent.click(page.getByRole('button', { name: 'Open plan.pdf' }))
  const dialog = await page.findByRole('dialog', { name: 'plan.pdf' })
  expect(dialog.textContent).toContain('A PDF is not shown here')
  expect(dialog.querySelector('iframe, embed, object')).toBeNull()
  expect(page.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe(`${photo.url}?name=plan.pdf`)
})
