import { reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

const LINES = 'Oak galls, iron and gum. '.repeat(8_000)

async function attach(page: Page, name: string, mimeType: string, content: string | Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Attach files' }).click(),
  ])
  await chooser.setFiles({ name, mimeType, buffer: Buffer.from(content) })
}

/** A photo of noise, upright only by its orientation mark when `turned`: JPEG of noise can't be compressed. */
async function photo(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([width = 0, height = 0]) => {
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      const image = new ImageData(width, height)
      const words = new Uint32Array(image.data.buffer)
      let seed = 1
      for (let at = 0; at < words.length; at++) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
        words[at] = seed | 0xff000000
      }
      context?.putImageData(image, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
      const bytes = new Uint8Array(await blob.arrayBuffer())
      let binary = ''
      for (const byte of bytes) binary += String.fromCharCode(byte)
      return btoa(binary)
    },
    [width, height],
  )
  return Buffer.from(base64, 'base64')
}

/** The photo with an Exif mark that it is to be turned by 90°. */
function turned(jpeg: Buffer): Buffer {
  const exif = Buffer.from(
    'ffe1002245786966000049492a00080000000100120103000100000006000000000000000000',
    'hex',
  )
  exif.writeUInt16BE(exif.length - 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

for (const [screen, options] of Object.entries({ ...POINTED, ...KEYED })) {
  test.describe(screen, () => {
    test.use(options)

    test('UI-33 sent files open, lead to each other, and give the focus back', async ({
      chat,
      page,
      product,
    }) => {
      product.provider.script(reply({ text: 'Both seen.' }))
      await chat.open()
      await attach(page, 'ink.txt', 'text/plain', LINES)
      await attach(page, 'dot.jpg', 'image/jpeg', await photo(page, 300, 200))
      await expect(page.getByRole('list', { name: 'Attachments' }).getByText('200 kB')).toBeVisible()
      await expect(page.getByText(/m1 can’t read dot\.jpg/)).toBeVisible()
      await auditBothSchemes(page)
      await chat.input.fill('Look at these')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.message('Both seen.')).toBeVisible()
      const file = chat.thread.getByRole('button', { name: 'Open ink.txt' })
      await file.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'ink.txt' })
      await expect(dialog.getByRole('textbox', { name: 'ink.txt' })).toHaveValue(LINES)
      await auditBothSchemes(page)
      await page.getByRole('button', { name: 'Next file' }).press('ArrowRight')
      const picture = page.getByRole('dialog', { name: 'dot.jpg' })
      await expect(picture.getByRole('img', { name: 'dot.jpg' })).toBeVisible()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        picture.getByRole('link', { name: 'Download' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('dot.jpg')
      await page.keyboard.press('Escape')
      await expect(picture).toBeHidden()
      await expect(file).toBeFocused()
    })
  })
}

test('UI-33 a photo beyond the limits is scaled down and stays upright', async ({ chat, page, product }) => {
  product.provider.script(reply({ text: 'Seen.' }))
  await chat.open()
  const large = turned(await photo(page, 4_200, 2_400))
  expect(large.length).toBeGreaterThan(3_900_000)
  await attach(page, 'photo.jpg', 'image/jpeg', large)
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeEnabled({ timeout: 30_000 })
  await chat.send('A photo')
  await expect(chat.message('Seen.')).toBeVisible()
  const picture = chat.thread.getByRole('img', { name: 'photo.jpg' })
  const [width, height] = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })
  expect(width).toBeLessThan(height ?? 0)
  const source = await picture.getAttribute('src')
  const stored = await page.request.get(new URL(source ?? '', chat.url).href)
  expect((await stored.body()).length).toBeLessThanOrEqual(3_900_000)
})

test('UI-33 a file that the model can’t read says so and offers a model that can', async ({
  chat,
  page,
  product,
}) => {
  product.provider.script(reply({ text: 'A dot.' }))
  await chat.open()
  await attach(page, 'dot.jpg', 'image/jpeg', await photo(page, 20, 20))
  await page.getByRole('button', { name: 'Use sees' }).click()
  await expect(page.getByText(/can’t read dot\.jpg/)).toBeHidden()
  await attach(page, 'letter.doc', 'application/msword', 'a letter')
  await expect(
    page.getByText(/can’t read letter\.doc|None of your models can read letter\.doc/),
  ).toBeVisible()
  await chat.send('What is it?')
  await expect(chat.message('A dot.')).toBeVisible()
  const asked = product.provider.requests.findLast(({ body }) => body['stream'] === true)
  const body = JSON.stringify(asked?.body)
  expect(body).toContain('data:image/jpeg;base64,')
  expect(body).toContain('Attachment letter.doc')
})

test('UI-33 a long paste is a file, and text again on request', async ({ chat, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chat.open()
  await page.evaluate((text) => navigator.clipboard.writeText(text), 'A long text. '.repeat(1_000))
  await chat.input.focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(page.getByRole('button', { name: 'Remove pasted.txt' })).toBeVisible()
  await expect(chat.input).toHaveValue('')
  await page.getByRole('button', { name: 'Turn pasted.txt into text' }).click()
  await expect(chat.input).toHaveValue('A long text. '.repeat(1_000))
  await expect(page.getByRole('button', { name: 'Remove pasted.txt' })).toBeHidden()
})

test('UI-33 UI-12 an upload goes on over a lost connection and a reload, and the draft keeps its file', {
  tag: '@outage',
}, async ({ page, complaints }) => {
  await using server = await startServer()
  listen(page, complaints)
  const chat = new ChatPage(page, server.url)
  server.provider.script(reply({ text: 'Read.' }))
  await chat.open()
  await server.kill()
  await attach(page, 'ink.txt', 'text/plain', LINES)
  await expect(page.getByText('Waiting for the server')).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Upload of ink.txt' })).toBeVisible()
  await server.restart()
  const ready = page.getByRole('list', { name: 'Attachments' }).getByText('200 kB')
  await expect(ready).toBeVisible({ timeout: 15_000 })
  await chat.open()
  await expect(ready).toBeVisible()
  await chat.send('Read it')
  await expect(chat.message('Read.')).toBeVisible()
  expect(JSON.stringify(server.provider.requests)).toContain('Oak galls, iron and gum.')
})
