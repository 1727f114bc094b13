import { createClient } from '@palimpsest/client'
import { reply, type ScriptedReply } from '@palimpsest/testing'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { converse } from '../fixtures/converse.ts'
import { counted } from '../fixtures/counted.ts'
import { POINTED } from '../fixtures/screens.ts'
import type { ServerUnderTest } from '../fixtures/server.ts'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { HistoryPage } from '../pages/history-page.ts'

const TALK = { title: 'Naming the boat', texts: ['Show me a table.', 'How would you name a boat?'] }
test('UI-26 a history operation in one tab is shown in another at once', async ({
  demo,
  page,
  context,
  complaints,
  tell,
}) => {
  const origin = await tell(TALK)
  const other = await context.newPage()
  listen(other, complaints)
  const [here, there] = [new HistoryPage(page), new HistoryPage(other)]
  const seen = new ChatPage(other, demo.url)
  const boat = seen.thread.getByText('How would you name a boat?', { exact: true })
  await demo.open(`/s/${origin}`)
  await seen.open(`/s/${origin}`)
  await there.go('Timeline')
  const latest = there.timeline.getByRole('listitem').first()
  const used = (tab: typeof page) =>
    tab.getByRole('meter', { name: 'Context window' }).getAttribute('aria-valuenow')
  const metersAgree = () => expect.poll(async () => (await used(page)) === (await used(other))).toBe(true)

  await here.rewind(0)
  await expect(there.tray).toContainText('3 messages hidden')
  await expect(latest).toContainText('Rewound')
  await expect(boat).toBeHidden()
  await metersAgree()
  await there.tray.getByRole('button', { name: 'Restore' }).click()
  await expect(here.tray).toBeHidden()
  await expect(boat).toBeVisible()
  await expect(demo.message(/“How would you name a boat\?”/)).toBeVisible()

  await demo.input.fill('/compact')
  await demo.input.press('Enter')
  await expect(there.summary).toBeAttached()
  await expect(latest).toContainText('Summarised')
  await latest.getByRole('button', { name: 'Undo' }).click()
  await expect(here.summary).toHaveCount(0)
  await metersAgree()

  await here.press('Branch from here', 1)
  await expect(page).not.toHaveURL(new RegExp(origin))
  await expect(latest).toContainText('Branched')
  await expect(there.versions).toContainText('1 / 2')
})

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-21 a running compaction is shown, after a reload too, until it is done', async ({
      chat,
      page,
      product,
    }) => {
      const written = Promise.withResolvers<void>()
      await startChat(chat, product, ['A word', 'Another', 'A third'])
      product.provider.script(wholeAfter(written.promise, 'They spoke in words.'))
      await chat.input.fill('/compact')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const notice = page.getByText('Summarising earlier messages. New messages are queued.')
      await expect(notice).toBeVisible()
      await auditBothSchemes(page)
      await page.reload()
      await expect(notice).toBeVisible()
      written.resolve()
      const { summary } = new HistoryPage(page)
      await expect(summary).toBeAttached()
      await expect(notice).toBeHidden()
      await summary.click()
      await expect(page.getByText('They spoke in words.')).toBeVisible()
    })

    test('UI-17 during a reply, a rewind asks whether to stop it', async ({ chat, page, product }) => {
      const history = new HistoryPage(page)
      await startChat(chat, product, ['A word'])
      product.provider.script(
        reply({
          text: ['Let me see', '.'],
          hold: { before: 1, until: Promise.withResolvers<void>().promise },
        }),
      )
      await chat.input.fill('And slowly')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.message('Let me see')).toBeVisible()
      await expect(chat.stop).toBeVisible()
      await history.rewind(0)
      // A note stays while the pointer is over it.
      await page.getByText('A reply is running.').hover()
      await auditBothSchemes(page)
      await expect(history.tray).toBeHidden()
      await page.getByRole('button', { name: 'Stop and continue' }).click()
      await expect(history.tray).toContainText('3 messages hidden')
      await expect(chat.stop).toBeHidden()
    })

    test('UI-20 UI-22 replies of a side question and of both compared branches continue after a reload', async ({
      chat,
      page,
      product,
    }) => {
      const history = new HistoryPage(page)
      const send = page.getByRole('button', { name: 'Send', exact: true })
      const origin = await startChat(chat, product, ['A word'])
      const held = () => {
        const go = Promise.withResolvers<void>()
        const hold = { before: 1, until: go.promise }
        product.provider.script(reply({ text: ['It begins', ' and ends'], hold }))
        return go.resolve
      }
      const end = held()
      await history.go('Side question')
      await history.side.getByRole('textbox', { name: 'Message' }).fill('Why?')
      await history.side.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(history.sideThread.getByText('It begins', { exact: true })).toBeVisible()
      await page.reload()
      await expect(history.sideThread.getByText('It begins', { exact: true })).toBeVisible()
      end()
      await expect(history.sideThread.getByText('It begins and ends', { exact: true })).toBeVisible()
      await history.side.getByRole('button', { name: 'Keep as a branch' }).click()
      const open = page.getByRole('button', { name: 'Open', exact: true })
      await open.click()
      await expect(page).not.toHaveURL(new RegExp(origin))

      const side = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      await chat.open(`/compare?${new URLSearchParams({ a: origin, b: side })}`)
      const ends = [held(), held()]
      await chat.input.fill('And now?')
      await send.click()
      const board = page.getByRole('log', { name: 'Compare' })
      const begun = board.getByText('It begins', { exact: true }).filter({ visible: true })
      const sides = screen.viewport.width < 768 ? 1 : 2
      await expect(begun).toHaveCount(sides)
      await page.reload()
      await expect(begun).toHaveCount(sides)
      for (const finish of ends) finish()
      await expect(board.getByText('It begins and ends').filter({ visible: true })).toHaveCount(sides + 1)
    })
  })
}

/** Opens a chat with these messages, each with a short reply; returns the session's id. */
async function startChat(
  chat: ChatPage,
  { url, provider }: ServerUnderTest,
  texts: string[],
): Promise<string> {
  provider.script(...texts.map((_, at) => counted({ text: `Reply ${at + 1}. ${'So it is. '.repeat(40)}` })))
  await using client = createClient({ url })
  const sessionId = await converse(client, { title: 'A chat', texts, providerId: 'lab', modelId: 'm1' })
  await chat.open(`/s/${sessionId}`)
  return sessionId
}

/** An answer to a request without streaming, which is sent once the promise resolves. */
function wholeAfter(until: Promise<void>, text: string): ScriptedReply {
  const whole = JSON.stringify(reply({ text }).whole?.())
  return { status: 200, headers: { 'content-type': 'application/json' }, steps: [{ until }, { send: whole }] }
}
