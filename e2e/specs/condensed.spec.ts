import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

const LINES = Array.from({ length: 400 }, (_, line) => `Line ${line} of a long file`).join('\n')

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('PR-4 a large output shows that its model sees a condensed form, keeps the stored output, and makes it visible again', async ({
      demo,
      page,
      tell,
      keyless,
    }) => {
      const history = new HistoryPage(page)
      const workspaceRoot = join(keyless.workspace, 'long-file')
      mkdirSync(workspaceRoot, { recursive: true })
      writeFileSync(join(workspaceRoot, 'README.md'), LINES)
      const metadata = { compaction: { condense_above: 4_000 } }
      await demo.open(`/s/${await tell({ title: 'Condensed', texts: [], workspaceRoot, metadata })}`)
      await demo.input.fill('Show me your tools.')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(demo.thread.getByText('I followed a script')).toBeVisible({ timeout: 30_000 })
      await page.getByRole('button', { name: /Read README\.md/ }).click()
      const note = page.getByRole('button', { name: /The model reads a condensed result: \d+ instead of/ })
      const condensed = page.getByRole('region', { name: /^Condensed by palimpsest-demo/ })
      await expect(note).toBeVisible()
      await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('Line 120 of')
      await note.click()
      await expect(condensed).toContainText('… 395 more lines.')
      await auditBothSchemes(page)

      await page.getByRole('button', { name: 'Use the full result' }).click()
      await expect(
        page.getByRole('button', { name: /The model reads the full result of \S+ tokens/ }),
      ).toBeVisible()
      await history.go('Timeline')
      const used = history.timeline.getByRole('listitem').first()
      await expect(used).toContainText('Full tool result used')
      await used.getByRole('button', { name: 'Undo' }).click()
      await expect(used).toContainText('Condensed tool result used again')
      await history.timeline.getByRole('button', { name: 'Close' }).click()
      await expect(history.timeline).toBeHidden()

      await page.reload()
      await page.getByRole('button', { name: /Read README\.md/ }).click()
      await note.click()
      await expect(condensed).toContainText('Line 4 of a long file')
    })
  })
}
