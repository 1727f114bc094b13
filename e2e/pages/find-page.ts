import type { Locator, Page } from '@playwright/test'

/** Below this width there may be no keys: find is in the menu. */
const NARROW = 768

/** Find in a chat, by accessible names. */
export class FindPage {
  readonly page: Page
  readonly field: Locator
  readonly outcome: Locator
  readonly next: Locator
  readonly previous: Locator
  readonly list: Locator
  readonly matches: Locator
  readonly close: Locator

  constructor(page: Page) {
    const bar = page.getByRole('search', { name: 'Find in this chat' })
    this.page = page
    this.field = bar.getByRole('searchbox')
    this.outcome = bar.getByRole('status')
    this.next = bar.getByRole('button', { name: 'Next match' })
    this.previous = bar.getByRole('button', { name: 'Previous match' })
    this.list = bar.getByRole('button', { name: 'All matches' })
    this.matches = bar.getByRole('list', { name: 'Matches' })
    this.close = bar.getByRole('button', { name: 'Close' })
  }

  /** With keys, or on narrow screens in the menu. */
  async go(): Promise<void> {
    if ((this.page.viewportSize()?.width ?? 0) >= NARROW) {
      await this.page.keyboard.press('Control+f')
      return
    }
    await this.page.getByRole('button', { name: 'Chat actions' }).click()
    await this.page.getByRole('menuitem', { name: 'Find in this chat' }).click()
  }

  /** The words that are marked in the page, each once. */
  marked(): Promise<string[]> {
    return this.page.evaluate(() => [
      ...new Set([...(CSS.highlights.get('find') ?? [])].map((range) => range.toString())),
    ])
  }
}
