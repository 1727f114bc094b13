import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { expectInside, KEYED, POINTED } from '../fixtures/screens.ts'
import { type ServerUnderTest, startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChangesPage } from '../pages/changes-page.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { HistoryPage } from '../pages/history-page.ts'

const ALLOWED = [
  { permission: 'edit', pattern: '*', action: 'allow' },
  { permission: 'command', pattern: '*', action: 'allow' },
]
const LINES = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`)
const INK = `${LINES.join('\n')}\n`

const call = (name: string, input: object) => reply({ toolCalls: [{ name, input }] })

/** A chat in a checkout: two turns that change six files by tools and a command. */
async function openChat(page: Page, product: ServerUnderTest, complaints: string[]) {
  listen(page, complaints)
  const { workspace, provider } = product
  const file = (path: string) => join(workspace, path)
  const read = (path: string) => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : null)
  const git = (...words: string[]) => execFileSync('git', words, { cwd: workspace })
  git('init', '--quiet')
  mkdirSync(file('src'))
  writeFileSync(file('src/ink.ts'), INK)
  writeFileSync(file('README.md'), '# Ink\n')
  writeFileSync(file('old.txt'), 'old\n')
  provider.script(
    call('read', { path: 'src/ink.ts' }),
    call('edit', { path: 'src/ink.ts', edits: [{ old: 'line 2\n', new: 'line two\n' }] }),
    call('edit', { path: 'src/ink.ts', edits: [{ old: 'line 30\n', new: 'line thirty\nand more\n' }] }),
    call('write', { path: 'docs/plan.md', content: '# Plan\n\n1. Draw\n2. Write\n' }),
    call('bash', { command: 'mv old.txt made.txt' }),
    reply({ text: 'The ink is ready.' }),
    call('read', { path: 'README.md' }),
    call('write', { path: 'README.md', content: '# Ink\n\nWritten by the agent.\n' }),
    reply({ text: 'It is described.' }),
  )
  const chat = new ChatPage(page, product.url)
  await chat.open()
  for (const [text, answer] of [
    ['Prepare the ink', 'The ink is ready.'],
    ['Describe it', 'It is described.'],
  ] as const) {
    await chat.input.fill(text)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(chat.message(answer)).toBeVisible({ timeout: 20_000 })
    await expect(chat.stop).toBeHidden()
  }
  return { chat, changes: new ChangesPage(page), history: new HistoryPage(page), file, read }
}

for (const [name, screen] of Object.entries(POINTED)) {
  test.describe(name, () => {
    test.use(screen)

    test('UI-45 the changes of a chat and of its last turn are listed, opened to their lines, and taken back, and axe finds nothing', async ({
      page,
      complaints,
    }) => {
      await using product = await startServer({ snapshots: 'auto', permissions: ALLOWED })
      await using _page = closing(page)
      const { changes, read } = await openChat(page, product, complaints)
      await changes.go()
      await expect(changes.files).toHaveCount(5)
      await expect(changes.file('src/ink.ts')).toContainText('3 lines added, 2 lines removed')
      await expect(changes.file('old.txt')).toContainText('Deleted')
      await expect(changes.file('docs/plan.md')).toContainText('New')
      await expectInside(page, changes.panel)
      await auditBothSchemes(page)
      await changes.open('src/ink.ts')
      await expect(changes.file('src/ink.ts')).toContainText('line thirty')
      await auditBothSchemes(page)
      await changes.file('src/ink.ts').getByRole('button', { name: 'Take this part back' }).first().click()
      await expect.poll(() => read('src/ink.ts')).not.toContain('line two')
      expect(read('src/ink.ts')).toContain('line thirty')
      await changes.scope('Last turn')
      await expect(changes.files).toHaveCount(1)
      await changes.takeBack('README.md')
      await expect.poll(() => read('README.md')).toBe('# Ink\n')
      await expect(changes.file('README.md')).toContainText('As before')
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await expect.poll(() => read('README.md')).toContain('Written by the agent.')
    })

    test('RW-12 before a rewind each file has its fate, and a file of a person stays until they choose', async ({
      page,
      complaints,
    }) => {
      await using product = await startServer({ snapshots: 'auto', permissions: ALLOWED })
      await using _page = closing(page)
      const { changes, history, read, file } = await openChat(page, product, complaints)
      writeFileSync(file('README.md'), '# Ink\n\nIn my own words.\n')
      await history.press('Rewind to here', 0)
      const { editor } = history
      await expect(editor.getByRole('listitem').filter({ hasText: 'src/ink.ts' })).toContainText('restored')
      await expect(
        editor
          .getByRole('listitem')
          .filter({ hasText: 'README.md' })
          .getByRole('radio', { name: 'Keep yours' }),
      ).toBeChecked()
      // On a narrow screen its upper part may be above the window.
      if (screen.viewport.width > 768) await expectInside(page, editor)
      await auditBothSchemes(page)
      await editor.getByRole('button', { name: 'Rewind without sending' }).click()
      await expect.poll(() => read('src/ink.ts')).toBe(INK)
      expect([read('README.md'), read('old.txt')]).toEqual(['# Ink\n\nIn my own words.\n', 'old\n'])
      await page.getByRole('button', { name: 'Decide' }).click()
      await expect(changes.panel).toContainText('1 file to decide about')
      await auditBothSchemes(page)
      await changes.panel.getByRole('button', { name: 'Keep both' }).click()
      await expect.poll(() => read('README.restored.md')).toBe('# Ink\n')
      expect(read('README.md')).toBe('# Ink\n\nIn my own words.\n')
      await expect(changes.panel).not.toContainText('to decide about')
    })
  })
}

for (const [name, screen] of Object.entries(KEYED)) {
  test.describe(name, () => {
    test.use(screen)

    test('UI-45 the list of changes is opened, read, and used to take a file back with keys alone', async ({
      page,
      complaints,
    }) => {
      await using product = await startServer({ snapshots: 'auto', permissions: ALLOWED })
      await using _page = closing(page)
      const { chat, changes, read } = await openChat(page, product, complaints)
      await chat.input.focus()
      await page.keyboard.type('/changes')
      await page.keyboard.press('Enter')
      await expect(changes.files).toHaveCount(5)
      await changes.tabTo(changes.file('src/ink.ts').getByRole('button').first())
      await page.keyboard.press('Enter')
      await expect(changes.file('src/ink.ts')).toContainText('line thirty')
      await changes.tabTo(changes.file('src/ink.ts').getByRole('button', { name: 'Take back: src/ink.ts' }))
      await page.keyboard.press('Enter')
      await expect.poll(() => read('src/ink.ts')).toBe(INK)
      await page.keyboard.press('Escape')
      await expect(changes.panel).toBeHidden()
    })
  })
}

test('UI-45 the line of a call leads to its file in the list of changes', async ({ page, complaints }) => {
  await using product = await startServer({ snapshots: 'auto', permissions: ALLOWED })
  await using _page = closing(page)
  const { chat, changes } = await openChat(page, product, complaints)
  await chat.thread
    .getByRole('button', { name: /wrote 1 file/ })
    .last()
    .click()
  await chat.thread.getByRole('button', { name: /^Wrote README\.md/ }).click()
  await chat.thread.getByRole('button', { name: 'Show changes' }).click()
  await expect(changes.file('README.md')).toContainText('Written by the agent.')
})
