import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reply } from '@palimpsest/core/testing'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

test('RW-5 a rewind restores the file that a reply changed, says so, and its undoing puts it back', async ({
  page,
  complaints,
}) => {
  await using product = await startServer({ snapshots: true })
  await using _page = closing(page)
  listen(page, complaints)
  const notes = join(product.workspace, 'notes.md')
  const written = () => readFileSync(notes, 'utf8')
  writeFileSync(notes, 'before')
  product.provider.script(() => {
    writeFileSync(notes, 'after')
    return reply({ text: 'It is written' })
  })
  const chat = new ChatPage(page, product.url)
  await chat.open()
  await chat.send('Write it down')
  await expect(chat.message('It is written')).toBeVisible()
  await expect(chat.stop).toBeHidden()

  await chat.message('Write it down').hover()
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  const editor = page.getByRole('region', { name: 'Edit message' })
  await expect(editor).toContainText('1 file is restored.')
  await page.keyboard.press('Escape')
  expect(written()).toBe('after')

  await chat.message('Write it down').hover()
  await page.getByRole('button', { name: 'Rewind to here' }).click()
  await expect(chat.message('It is written')).toBeHidden()
  await expect(page.getByText('1 file is restored.')).toBeVisible()
  expect(written()).toBe('before')
  await page.getByRole('region', { name: 'Rewound' }).getByRole('button', { name: 'Restore' }).click()
  await expect(chat.message('It is written')).toBeVisible()
  expect(written()).toBe('after')
})
