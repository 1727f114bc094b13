import type { Locator, Page } from '@playwright/test'

/** Below this width the history actions are in the menu. */
const NARROW = 768

type Act = 'Edit and send again' | 'Rewind to here' | 'Branch from here'

/** The history actions of a chat, by accessible names. */
export class HistoryPage {
  readonly page: Page
  readonly editor: Locator
  readonly tray: Locator
  readonly timeline: Locator
  readonly side: Locator
  /** The displayed text, without what only screen readers announce. */
  readonly sideThread: Locator
  readonly tree: Locator
  readonly prompts: Locator
  readonly versions: Locator
  readonly summary: Locator

  constructor(page: Page) {
    this.page = page
    this.editor = page.getByRole('region', { name: 'Edit message' })
    this.tray = page.getByRole('region', { name: 'Rewound' })
    this.timeline = panel(page, 'Timeline')
    this.side = panel(page, 'Side question')
    this.sideThread = this.side.getByRole('log')
    this.tree = page.getByRole('dialog', { name: 'Branches' })
    this.prompts = page.getByRole('dialog', { name: 'Rewind to one of your messages' })
    this.versions = page.getByRole('navigation', { name: 'Versions' })
    this.summary = page.getByRole('button', { name: /^Summarised \d+ earlier messages?/ })
  }

  /** With a pointer: in the header, or on narrow screens in the menu. */
  async go(way: 'Timeline' | 'Branches of this chat' | 'Side question'): Promise<void> {
    if ((this.page.viewportSize()?.width ?? 0) >= NARROW) {
      await this.page.locator('header').getByRole('button', { name: way }).click()
      return
    }
    await this.page.getByRole('button', { name: 'Chat actions' }).click()
    await this.page.getByRole('menuitem', { name: way }).click()
  }

  /** The actions of the message of this number, from 0, among those that have them. */
  act(name: Act, at: number): Locator {
    return this.page.getByRole('log').getByRole('button', { name }).nth(at)
  }

  /**
   * Scrolls to it first, as a user does, and then presses it. Scrolling shows the button that leads to the end, which
   * would otherwise receive the click.
   */
  async press(name: Act, at: number): Promise<void> {
    await this.act(name, at).scrollIntoViewIfNeeded()
    await this.act(name, at).click()
  }
}

/** Beside the thread, or a sheet over it. */
function panel(page: Page, name: string): Locator {
  return page.getByRole('complementary', { name }).or(page.getByRole('dialog', { name }))
}
