import { reply, startScriptedProvider } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { type ServerUnderTest, startServer } from '../fixtures/server.ts'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

const KEY = 'canary-key-3e90'

/** A keyless server of the test's own, and a model server on another port. */
async function startBoth(models: { id: string }[]) {
  const other = await startScriptedProvider({ models })
  other.intercept(({ body }) =>
    JSON.stringify(body).includes('Write a title') ? reply({ text: 'A title' }) : null,
  )
  const server = await startServer({ keyless: true })
  return {
    server,
    other,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
    },
  }
}

const form = (page: Page) => page.getByRole('form', { name: 'Add a provider' })
const picker = (page: Page) => page.getByRole('button', { name: /^Model: / })

async function openSettings(page: Page, { url }: ServerUnderTest, section = 'models'): Promise<void> {
  await page.goto(`${url}/settings/${section}`)
  await page.getByRole('heading', { level: 2 }).waitFor()
}

for (const [screen, options] of Object.entries(POINTED)) {
  test.describe(() => {
    test.use(options)

    test(`UI-31 UI-2 a server is entered in the page, and its model is picked and replies, ${screen}`, async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using both = await startBoth([{ id: 'lab-one' }, { id: 'lab-two' }])
      both.other.script(reply({ text: 'From the entered server.' }))
      const chat = new ChatPage(page, both.server.url)
      await chat.open()
      await page.getByRole('link', { name: 'Add a real model' }).click()
      await expect(page).toHaveURL(/\/settings\/models$/)
      await page.getByRole('button', { name: 'Another server' }).click()
      await form(page).getByLabel('Name').fill('Lab')
      await form(page).getByLabel('Address').fill(both.other.baseURL)
      await form(page).getByLabel('API key').fill(KEY)
      await form(page).getByRole('button', { name: 'Save and test' }).click()
      const card = page.getByRole('article', { name: 'Lab' })
      await expect(card).toContainText('Key stored · 2 models')
      await card.getByRole('button', { name: 'Test' }).click()
      await expect(card.getByRole('status')).toHaveText('It works: 2 models.')
      await auditBothSchemes(page)
      await page.goBack()
      await chat.input.waitFor()
      await picker(page).click()
      await page.getByRole('option', { name: /lab-two/ }).click()
      await chat.input.fill('Hello')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.message('From the entered server.')).toBeVisible()
      expect(both.other.requests.find(({ body }) => body['stream'] === true)?.body['model']).toBe('lab-two')
      expect(both.other.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
      expect(await page.content()).not.toContain(KEY)
      await page.goForward()
      await expect(card).toBeVisible()
      await page.close()
    })
  })
}

for (const [screen, options] of Object.entries(KEYED)) {
  test.describe(() => {
    test.use(options)

    test(`UI-31 UI-23 a provider is entered, changed and removed ${screen}`, async ({ page, complaints }) => {
      listen(page, complaints)
      await using both = await startBoth([])
      await openSettings(page, both.server)
      await page.getByRole('button', { name: 'Another server' }).press('Enter')
      await form(page).getByLabel('Address').focus()
      await page.keyboard.type(both.other.baseURL)
      await page.keyboard.press('Enter')
      await expect(form(page).getByRole('status')).toHaveText('It answers, but lists no models.')
      const ids = form(page).getByLabel('Model ids')
      await expect(ids).toHaveAccessibleDescription(/Enter the ids that it serves/)
      await ids.focus()
      await page.keyboard.type('typed-one')
      await form(page).getByRole('button', { name: 'Save and test' }).focus()
      await page.keyboard.press('Enter')
      const card = page.getByRole('article', { name: '127.0.0.1' })
      await expect(card).toContainText('No key · 1 model')
      await card.getByRole('button', { name: 'Remove' }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog')).toContainText('Remove 127.0.0.1?')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(card).toBeHidden()
      await page.close()
    })
  })
}

test('UI-31 a failed test is shown in the server’s words, an invalid field at the field, and no key comes back', {
  tag: '@refused',
}, async ({ page, complaints }) => {
  listen(page, complaints)
  await using both = await startBoth([{ id: 'one' }])
  await openSettings(page, both.server)
  await page.getByRole('button', { name: 'Another server' }).click()
  await form(page).getByLabel('Address').fill('not an address')
  await form(page).getByRole('button', { name: 'Save and test' }).click()
  await expect(form(page).getByLabel('Address')).toHaveAccessibleDescription(
    /An address is an http or https URL/,
  )
  await form(page).getByLabel('Address').fill(`${both.other.baseURL}/nowhere`)
  await both.other[Symbol.asyncDispose]()
  await form(page).getByLabel('API key').fill(KEY)
  await form(page).getByRole('button', { name: 'Save and test' }).click()
  await expect(form(page).getByRole('status')).toContainText('the connection was refused')
  await expect(page.getByRole('article', { name: '127.0.0.1' })).toHaveCount(0)
  await form(page).getByRole('button', { name: 'Save anyway' }).click()
  await expect(form(page)).toBeHidden()
  await page.reload()
  const card = page.getByRole('article', { name: '127.0.0.1' })
  await expect(card).toContainText('Key stored')
  await card.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByLabel('API key')).toHaveValue('')
  expect(await page.content()).not.toContain(KEY)
  await page.close()
})

test('UI-31 what the configuration file sets is shown as set there, without a way to change it', async ({
  chat,
  page,
}) => {
  await chat.open('/')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Models' }).click()
  const card = page.getByRole('article', { name: 'lab' })
  await expect(card).toContainText('Set in the configuration file')
  await expect(card.getByRole('button')).toHaveText(['Test'])
})

test('UI-31 UI-13 the default model, the instructions and the send key take effect', async ({
  page,
  complaints,
}) => {
  listen(page, complaints)
  await using server = await startServer()
  const chat = new ChatPage(page, server.url)
  server.provider.script(reply({ text: 'Salve.' }))
  await openSettings(page, server, 'general')
  await page.getByLabel('Default model').selectOption({ label: 'roomy' })
  await page.getByLabel('Your instructions').fill('Answer in Latin.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.getByText('Enter breaks the line', { exact: true }).click()
  await page.getByText('Large', { exact: true }).click()
  await chat.open()
  await expect(page.locator('html')).toHaveAttribute('data-text-size', 'large')
  await expect(picker(page)).toHaveText(/roomy/)
  await chat.input.fill('One')
  await chat.input.press('Enter')
  await expect(chat.input).toHaveValue('One\n')
  await chat.input.press('ControlOrMeta+Enter')
  await expect(chat.message('Salve.')).toBeVisible()
  const { body } = await server.provider.received(0)
  expect(body['model']).toBe('roomy')
  expect(JSON.stringify(body['messages'])).toContain('Answer in Latin.')
  await page.close()
})

test.describe(() => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('UI-31 UI-5 UI-3 each section has an address, opened by link, shortcut and command', async ({
    demo,
    page,
  }) => {
    await demo.open()
    await page.keyboard.press('ControlOrMeta+,')
    await expect(page).toHaveURL(/\/settings\/general$/)
    for (const name of ['Models', 'Data', 'Shortcuts', 'About', 'General']) {
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
      await auditBothSchemes(page)
    }
    await page.goBack()
    await expect(page).toHaveURL(/\/settings\/about$/)
    await expect(page.getByText('Ready', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Data' }).click()
    await expect(page.getByText('Size of the database')).toBeVisible()
    await page.getByRole('button', { name: 'Open the bin' }).click()
    await expect(demo.sidebar.getByRole('heading', { name: 'Bin' })).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    const tab = page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current=page]')
    await expect(tab).toHaveText('Data')
    await expect(tab).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.getByRole('button', { name: 'Close settings' }).click()
    await expect(demo.input).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('settings')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/settings\/general$/)
  })
})
