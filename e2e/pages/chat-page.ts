import type { Locator, Page } from '@playwright/test'

/** Locators of a chat, by accessible names. */
export class ChatPage {
  readonly page: Page
  readonly url: string
  readonly input: Locator
  readonly thread: Locator
  readonly queue: Locator
  readonly stop: Locator
  readonly sidebar: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.input = page.getByRole('textbox', { name: 'Message', exact: true })
    this.thread = page.getByRole('log', { name: 'Messages' })
    this.queue = page
      .getByRole('region', { name: 'Queued messages' })
      .or(page.getByRole('list', { name: 'Queued messages' }))
    this.stop = page.getByRole('button', { name: 'Stop', exact: true })
    this.sidebar = page.getByRole('navigation', { name: 'Chats' })
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(new URL(path, this.url).href)
    await this.input.waitFor()
    // The page loads the list of chats once it is hydrated; before that, keys would be lost.
    await this.page.locator('nav [aria-busy=true]').waitFor({ state: 'detached' })
  }

  async send(text: string): Promise<void> {
    await this.input.fill(text)
    // Enter sends nothing while a file is being read.
    const reading = this.page.getByRole('list', { name: 'Attachments' }).getByText('Reading')
    await reading.first().waitFor({ state: 'detached' })
    await this.input.press('Enter')
  }

  /** The message that contains this text. */
  message(text: string | RegExp): Locator {
    return this.thread.getByText(text).first()
  }
}
