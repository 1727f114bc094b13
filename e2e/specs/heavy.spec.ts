import { createClient } from '@palimpsest/client'
import { reply } from '@palimpsest/testing'
import { converse } from '../fixtures/converse.ts'
import { expect, test } from '../fixtures/test.ts'

/** Milliseconds that one task of the page may take, on a busy machine. */
const LONGEST_TASK_MS = 2_000

const marks = '\u0301'.repeat(200_000)

function growingRuns(sign: string, characters: number): string {
  const runs: string[] = []
  for (let length = 1, all = 0; all < characters; length++, all += length) runs.push(sign.repeat(length))
  return runs.join(' ')
}

const HEAVY: [what: string, text: string][] = [
  ['2,000 quotes', '>'.repeat(2_000)],
  ['growing backtick runs', growingRuns('`', 100_000)],
  ['combining marks', `a${marks}b`],
  ['joined signs', '👩\u200d'.repeat(30_000)],
  ['Hangul that never ends', '\u1100'.repeat(100_000)],
  ['nested emphasis', '*a **b '.repeat(10_000)],
  ['emphasis just within the budget', `Words ${'*a '.repeat(490)}${'a* '.repeat(490)}`],
  ['brackets just within the budget', `Words ${'['.repeat(495)}${']'.repeat(495)}`],
  ['a table just within the budget', `|a|b|\n|-|-|\n${'|*c*|d|\n'.repeat(450)}`],
  ['a list just within the budget', '- a *b* [c](https://example.org)\n'.repeat(450)],
  ['open brackets', '['.repeat(50_000)],
  ['dollars', '$'.repeat(50_000)],
  ['a nested formula', `$$${'\\frac{a}{'.repeat(200)}b${'}'.repeat(200)}$$`],
  [
    'a large table',
    `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${`|${'b|'.repeat(1_000)}\n`.repeat(20)}`,
  ],
  ['a long line', 'a'.repeat(200_000)],
  ['a long fence', `\`\`\`js\n${'let a = 1\n'.repeat(15_000)}\`\`\``],
  [
    'a long reply in prose',
    'Some words *and* some `code` with a [link](https://example.org).\n\n'.repeat(3_000),
  ],
  ['right to left', '\u202b\u2067مرحبا '.repeat(5_000)],
]

/** All of them in the long profile, every second one in the short one. */
const shown = HEAVY.filter((_, index) => process.env['TEST_PROFILE'] === 'long' || index % 2 === 0)

for (const [what, text] of shown) {
  test(`SX-11 ${what} in a reply and in a message keeps the page responsive`, async ({
    chat,
    product,
    page,
  }) => {
    await using client = createClient({ url: product.url })
    product.provider.script(reply({ text: `${text}\n\nThe end.` }))
    const model = { providerId: 'lab', modelId: 'roomy' }
    const sessionId = await converse(client, { title: 'Heavy', texts: [text.slice(0, 60_000)], ...model })
    await page.addInitScript(() => {
      const tasks: number[] = []
      Object.assign(window, { longTasks: tasks })
      new PerformanceObserver((list) => {
        tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))
      }).observe({ type: 'longtask' })
    })
    await chat.open(`/s/${sessionId}`)
    await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible({ timeout: 30_000 })
    product.provider.script(reply({ text: `${text.slice(0, 20_000)}\n\nStill here.` }))
    await chat.send('Are you there?')
    await expect(chat.message('Still here.')).toBeVisible({ timeout: 20_000 })
    await chat.thread.press('Home')
    const tasks = await page.evaluate(() => ('longTasks' in window ? window.longTasks : []) as number[])
    test.info().annotations.push({ type: 'longest task', description: String(Math.max(0, ...tasks)) })
    expect(Math.max(0, ...tasks)).toBeLessThan(LONGEST_TASK_MS)
  })
}

test('SX-11 a paste of 100,000 combining marks becomes a file, and the page stays at work', async ({
  chat,
  page,
}) => {
  await chat.open('/')
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.focus()
  await page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(paste)
    },
    `a${'\u0301'.repeat(100_000)}b`,
  )
  await expect(page.getByText('pasted-marks.txt')).toBeVisible()
  await field.fill('Still here')
  await expect(field).toHaveValue('Still here')
})
