import { expect, type Locator, type Page } from '@playwright/test'

/** The list of changed files of a chat, by accessible names. */
export class ChangesPage {
  readonly page: Page
  readonly panel: Locator
  readonly files: Locator

  constructor(page: Page) {
    this.page = page
    this.panel = page
      .getByRole('complementary', { name: 'Changes' })
      .or(page.getByRole('dialog', { name: 'Changes' }))
    this.files = this.panel.getByRole('list', { name: 'Changed files' }).getByRole('listitem')
  }

  /** Behind the History control. */
  async go(): Promise<void> {
    await this.page.locator('header').getByRole('button', { name: 'History', exact: true }).click()
    await this.page.getByRole('menuitem', { name: 'Changes of files' }).click()
  }

  file(path: string): Locator {
    return this.files.filter({ hasText: path })
  }

  async open(path: string): Promise<void> {
    await this.file(path).getByRole('button').first().click()
  }

  async scope(name: 'This chat' | 'Last turn'): Promise<void> {
    await this.panel.getByText(name, { exact: true }).click()
  }

  async takeBack(path: string): Promise<void> {
    await this.file(path)
      .getByRole('button', { name: `Take back: ${path}` })
      .click()
  }

  /** Presses Tab until something has the focus. */
  async tabTo(target: Locator): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press('Tab')
      await expect(target).toBeFocused({ timeout: 50 })
    }).toPass({ intervals: [20], timeout: 15_000 })
  }
}
