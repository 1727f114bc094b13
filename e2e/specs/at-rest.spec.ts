import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

/** The names of all controls that are in view and can be used. */
function controls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const seen = (element: Element) => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (Number(getComputedStyle(at).opacity) === 0 || at.classList.contains('sr-only')) return false
      const { width, height } = element.getBoundingClientRect()
      return width > 4 && height > 4 && element.checkVisibility({ visibilityProperty: true })
    }
    return [...document.querySelectorAll('a[href], button:enabled, input:enabled, textarea, select, summary')]
      .filter((element) => seen(element) && element.getAttribute('aria-disabled') !== 'true')
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.tagName)
  })
}

/** The names of chats that other tests have made on the same server. */
function otherChats(page: Page): Promise<string[]> {
  return page.getByRole('list').locator('a:not([aria-current])').allTextContents()
}

test('UI-44 the start page has at most 14 controls at rest', async ({ chat, page }) => {
  await chat.open()
  await expect(page.getByRole('button', { name: /^Model/ })).toBeVisible()
  const found = await controls(page)
  expect(found.length, found.join(' | ')).toBeLessThanOrEqual(14)
})

test('UI-44 the start page of the demo has at most 14 controls at rest', async ({ demo, page }) => {
  await demo.open()
  await expect(page.getByText('You are using the demo model.')).toBeVisible()
  const others = await otherChats(page)
  const found = (await controls(page)).filter((name) => !others.includes(name))
  expect(found.length, found.join(' | ')).toBeLessThanOrEqual(14)
})

test('UI-44 a chat of one reply has at most 18 controls at rest', async ({ chat, product, page }) => {
  product.provider.script(() => reply({ text: 'A short answer.' }))
  await chat.open()
  await chat.send('Hello')
  await expect(chat.message('A short answer.')).toBeVisible()
  await expect(chat.stop).toBeHidden()
  await page.mouse.move(0, 0)
  const others = await otherChats(page)
  const found = (await controls(page)).filter((name) => name !== '' && !others.includes(name))
  expect(found.length, found.join(' | ')).toBeLessThanOrEqual(18)
})

/** Classes that components name as marks for other rules, not for a look. */
const MARKS = /^(group|peer)(\/|$)|^(enter|exact-line|thread-scroller)$/

test('UI-44 every class that a component names is in the style sheet', async ({ chat, page }) => {
  await chat.open()
  const known = new Set(
    await page.evaluate(async () => {
      const names: string[] = []
      for (const { href } of document.styleSheets) {
        if (href === null) continue
        const css = await (await fetch(href)).text()
        for (const [, name = ''] of css.matchAll(/\.((?:\\[0-9a-f]{1,6} ?|\\.|[\w-])+)/gi))
          names.push(
            name
              .replace(/\\([0-9a-f]{1,6}) ?/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
              .replace(/\\(.)/g, '$1'),
          )
      }
      return names
    }),
  )
  const root = resolve(import.meta.dirname, '../..')
  const unknown = ['packages/ui/src', 'apps/web/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx') && !path.includes('.test.'))
      .flatMap((path) => {
        const source = readFileSync(join(root, folder, path), 'utf8')
        const named = [...source.matchAll(/className="([^"]+)"/g)].flatMap(([, list = '']) =>
          list.split(/\s+/),
        )
        return named
          .filter((name) => name !== '' && !known.has(name) && !MARKS.test(name))
          .map((name) => `${path}: ${name}`)
      }),
  )
  expect(unknown).toEqual([])
})
