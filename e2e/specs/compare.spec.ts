import { createClient } from '@palimpsest/client'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'

const TALK = { title: 'Naming the boat', texts: ['How would you name a boat?'] }

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-34 what is sent to two branches of unequal length is answered side by side, and the words that differ are marked', async ({
      demo,
      page,
      keyless,
      tell,
    }) => {
      await using client = createClient({ url: keyless.url })
      const send = page.getByRole('button', { name: 'Send', exact: true })
      const left = await tell(TALK)
      const { items } = await client.session.messages.query({ sessionId: left })
      const branch = { sessionId: left, fromMessageId: items[1]?.id ?? '' }
      const { id: right } = await client.session.branch.mutate(branch)
      await client.session.rename.mutate({ sessionId: right, title: 'Sails' })
      await demo.open(`/s/${left}`)
      for (const text of ['And its oars?', 'And its keel?']) {
        await demo.input.fill(text)
        await send.click()
        await expect(demo.message(new RegExp(`“${text.replace('?', '\\?')}”`))).toBeVisible()
        await expect(demo.stop).toBeHidden()
      }
      await demo.open(`/compare?${new URLSearchParams({ a: left, b: right })}`)
      const board = page.getByRole('log', { name: 'Compare' })
      await expect(board.getByText('And its keel?', { exact: true })).toHaveCount(1)
      await demo.input.fill('And its flag?')
      await send.click()
      const last = board.getByRole('region', { name: 'Turn 3' })
      const [one, other] = [last.locator('> div').nth(0), last.locator('> div').nth(1)]
      const tab = (name: string) => page.getByRole('tab', { name })
      const isNarrow = await tab('Sails').isVisible()
      for (const [name, cell] of [
        ['Naming the boat', one],
        ['Sails', other],
      ] as const) {
        if (isNarrow) await tab(name).click()
        await expect(cell.getByText(/“And its flag\?”/).first()).toBeInViewport()
      }
      await expect(demo.stop).toBeHidden()
      await expect(page.getByRole('meter').filter({ visible: true })).toHaveCount(isNarrow ? 1 : 2)
      await auditBothSchemes(page)
      if (!isNarrow) {
        const title = 'Sails and what holds them'
        await client.session.rename.mutate({ sessionId: right, title })
        await page.setViewportSize({ width: 1024, height: 768 })
        const name = page.getByRole('main').getByRole('link', { name: title })
        await expect(name).toBeVisible()
        expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true)
      }
      const differences = board.getByRole('button', { name: 'Show differences' }).filter({ visible: true })
      if ((await differences.count()) > 0) {
        await differences.first().click()
        await expect(
          board
            .getByText(/words? (is|are) only here/)
            .filter({ visible: true })
            .first(),
        ).toBeVisible()
        await auditBothSchemes(page)
      }
    })
  })
}

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('UI-28 UI-34 another reply to an earlier question of one side says what it hides there', async ({
  demo,
  page,
  keyless,
  tell,
}) => {
  await using client = createClient({ url: keyless.url })
  const left = await tell({ ...TALK, texts: [...TALK.texts, 'And its oars?', 'And its keel?'] })
  const { items } = await client.session.messages.query({ sessionId: left })
  const branch = { sessionId: left, fromMessageId: items[1]?.id ?? '' }
  const { id: right } = await client.session.branch.mutate(branch)
  await demo.open(`/compare?${new URLSearchParams({ a: right, b: left })}`)
  const board = page.getByRole('log', { name: 'Compare' })
  await expect(board.getByText('And its keel?', { exact: true })).toBeVisible()
  const again = board.getByRole('button', { name: 'Regenerate' }).filter({ visible: true }).first()
  await again.scrollIntoViewIfNeeded()
  await again.click()
  const item = page.getByRole('menuitem', { name: 'Regenerate' })
  const dialog = page.getByRole('dialog', { name: 'Get another reply here?' })
  await expect(item.or(dialog).first()).toBeVisible()
  if (await item.isVisible()) await item.click()
  await expect(dialog).toContainText('This hides 2 messages after it.')
  await auditBothSchemes(page)
  await dialog.getByRole('button', { name: 'Get another reply' }).click()
  await expect(board.getByText('And its keel?', { exact: true })).toHaveCount(0)
})
