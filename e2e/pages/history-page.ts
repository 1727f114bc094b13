import { expect, type Locator, type Page } from '@playwright/test'

/** Below this width a message has one menu of actions. */
const NARROW = 768

type Act = 'Edit and send again' | 'Rewind to here' | 'Branch from here' | 'Regenerate'

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
  readonly rail: Locator
  /** The bar over an earlier state, and what is around that state's messages. */
  readonly preview: Locator
  readonly past: Locator

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
    this.rail = page.getByRole('slider', { name: 'History of this chat' })
    this.preview = page.getByRole('region', { name: 'Preview of an earlier state' })
    this.past = page.locator('.past')
    this.summary = page.getByRole('button', { name: /^Summarised \d+ earlier messages?/ })
  }

  /** With a pointer: behind the History control, a side question in the menu of the chat. */
  async go(
    way: 'Timeline' | 'Branches of this chat' | 'Show the history rail' | 'Side question',
  ): Promise<void> {
    const control = way === 'Side question' ? 'Chat actions' : 'History'
    await this.page.locator('header').getByRole('button', { name: control, exact: true }).click()
    await this.page.getByRole('menuitem', { name: way }).click()
  }

  /**
   * What leads to this action of a message, whose number counts from 0 among those that have it: its button, or the
   * button of the menu that it is in: on narrow screens, and for rare ones.
   */
  act(name: Act, at: number): Locator {
    const log = this.page.getByRole('log')
    if (name === 'Branch from here') return log.getByRole('button', { name: 'More actions' }).nth(at)
    if (!this.#narrow()) return log.getByRole('button', { name }).nth(at)
    const role = name === 'Regenerate' ? / replied$/ : 'You said'
    const messages = log.getByRole('article').filter({ has: this.page.getByRole('heading', { name: role }) })
    return messages.nth(at).getByRole('button', { name: 'More actions' })
  }

  /**
   * Scrolls to it first, as a user does, and then presses it. Scrolling shows the button that leads to the end, which
   * would otherwise receive the click.
   */
  async press(name: Act, at: number): Promise<void> {
    await this.act(name, at).scrollIntoViewIfNeeded()
    await this.act(name, at).click()
    if (this.#inMenu(name)) await this.page.getByRole('menuitem', { name }).click()
  }

  /** With the keyboard alone. */
  async pressByKey(name: Act, at: number): Promise<void> {
    await this.act(name, at).focus()
    await this.page.keyboard.press('Enter')
    if (!this.#inMenu(name)) return
    const item = this.page.getByRole('menuitem', { name })
    await expect(async () => {
      await this.page.keyboard.press('ArrowDown')
      await expect(item).toBeFocused({ timeout: 100 })
    }).toPass({ intervals: [50] })
    await this.page.keyboard.press('Enter')
  }

  #inMenu(name: Act): boolean {
    return name === 'Branch from here' || this.#narrow()
  }

  #narrow(): boolean {
    return (this.page.viewportSize()?.width ?? 0) < NARROW
  }

  /** Presses the rail at this share of its height, from above. */
  async scrub(share: number): Promise<void> {
    const box = await this.rail.boundingBox()
    if (box === null) throw new Error('The rail is not on the page.')
    await this.page.mouse.click(box.x + box.width / 2, box.y + box.height * share)
  }

  /** Rewinds to the question at this place without sending. */
  async rewind(at: number): Promise<void> {
    await this.press('Rewind to here', at)
    await this.editor.getByRole('button', { name: 'Rewind without sending' }).click()
  }
}

/** Beside the thread, or a sheet over it. */
function panel(page: Page, name: string): Locator {
  return page.getByRole('complementary', { name }).or(page.getByRole('dialog', { name }))
}
