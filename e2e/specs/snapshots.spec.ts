import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reply } from '@palimpsest/testing'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { HistoryPage } from '../pages/history-page.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('RW-5 in a git checkout a rewind restores the file that a reply changed, shows it, and its undo puts the change back', async ({
  page,
  complaints,
}) => {
  await using product = await startServer({
    snapshots: 'auto',
    permissions: [{ permission: 'edit', pattern: '*', action: 'allow' }],
  })
  await using _page = closing(page)
  listen(page, complaints)
  execFileSync('git', ['init', '--quiet', product.workspace])
  const notes = join(product.workspace, 'notes.md')
  const written = () => readFileSync(notes, 'utf8')
  writeFileSync(notes, 'before')
  product.provider.script(
    reply({ toolCalls: [{ name: 'read', input: { path: 'notes.md' } }] }),
    reply({ toolCalls: [{ name: 'write', input: { path: 'notes.md', content: 'after' } }] }),
    reply({ text: 'It is written' }),
  )
  const chat = new ChatPage(page, product.url)
  const history = new HistoryPage(page)
  const { tray } = history
  await chat.open()
  await chat.send('Write it down')
  await expect(chat.message('It is written')).toBeVisible()
  await expect(chat.stop).toBeHidden()

  await expect(page.getByTitle(/A rewind restores its files too\.$/)).toBeVisible()

  await chat.message('Write it down').hover()
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  const editor = page.getByRole('region', { name: 'Edit message' })
  await expect(editor).toContainText('1 file is restored.')
  await page.keyboard.press('Escape')
  await chat.input.focus()
  await page.keyboard.type('/rewind')
  await page.keyboard.press('Enter')
  await expect(history.prompts).toContainText('Nothing is deleted, and 1 file is restored.')
  await page.keyboard.press('Escape')
  await expect(history.prompts).toBeHidden()
  expect(written()).toBe('after')

  await chat.message('Write it down').hover()
  const rewind = page.getByRole('button', { name: 'Rewind to here' })
  await rewind.hover()
  await expect(page.getByText('hides 1 message · restores 1 file')).toBeVisible()
  await rewind.click()
  await expect(history.editor).toContainText('hides 1 message after it.')
  await expect(history.editor).toContainText('1 file is restored.')
  await auditBothSchemes(page)
  expect(written()).toBe('after')
  await history.editor.getByRole('button', { name: 'Rewind without sending' }).click()
  await expect(chat.message('It is written')).toBeHidden()
  await expect(tray).toContainText('1 message hidden · 1 file restored')
  expect(written()).toBe('before')
  await history.go('Timeline')
  await expect(history.timeline.getByRole('listitem').first()).toContainText('1 file restored')
  await tray.getByRole('button', { name: 'Restore' }).click()
  await expect(chat.message('It is written')).toBeVisible()
  await expect(page.getByText('1 file is restored.')).toBeVisible()
  expect(written()).toBe('after')
  await page.close()
})
