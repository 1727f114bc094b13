import { Dialog, Markdown } from '@palimpsest/ui'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, vi } from 'vitest'
import { sessionBarParts } from '../chat/session-bar-parts.tsx'
import { askParts } from '../composer/ask-parts.tsx'
import { unsentParts } from '../composer/unsent-parts.tsx'
import { historyParts, pastParts } from '../history/history-parts.tsx'
import { threadParts } from '../history/thread/thread-parts.tsx'
import { Localised } from '../shell/localised.tsx'
import { Workspace } from '../shell/workspace.tsx'
import { workspaceParts } from '../shell/workspace-parts.tsx'
import { createApp } from '../stores/app.ts'
import { AppProvider } from '../stores/app-context.tsx'
import type { Line } from './open-line.ts'

configure({
  // Ample, so that a busy machine fails nothing that would have passed.
  asyncUtilTimeout: 20_000,
  // Tests that depend on accessibility ask for it: checking it at every query takes long.
  defaultHidden: true,
  getElementError: (message) => new Error(message ?? 'Nothing like that is on the page.'),
})

// A page that has been used for a while has all that comes late.
beforeAll(async () => {
  const late = [sessionBarParts, askParts, threadParts, historyParts, pastParts, unsentParts, workspaceParts]
  for (const part of late) part.load()
  const page = render(
    <>
      <Markdown text="**Ready**" streaming={false} />
      <Dialog open onOpenChange={() => undefined} title="Open">
        Words
      </Dialog>
    </>,
  )
  await page.findByText('Ready', { selector: 'strong' })
  await page.findByRole('dialog')
  await vi.waitUntil(() => late.every((part) => part.get() !== null), { timeout: 60_000 })
  page.unmount()
}, 90_000)

/** One tab at an address, until the end of the block. Things on it are found by what they are called. */
export function openChatPage(path: string, line: Line) {
  window.history.replaceState(null, '', path)
  const app = createApp(window.location.pathname, () => line.client)
  const queries = new QueryClient({
    defaultOptions: { queries: { refetchOnWindowFocus: false, retry: false } },
  })
  const leave = app.start()
  const page = render(
    <AppProvider value={app}>
      <QueryClientProvider client={queries}>
        <Localised>
          <Workspace initialTheme="system" initiallyCollapsed={false} />
        </Localised>
      </QueryClientProvider>
    </AppProvider>,
  )
  // From here on things change when the server says so.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })

  const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  const log = () => screen.findByRole('log', { name: 'Messages' })
  const press = (keys: string, target: Element | null = document.activeElement) => {
    const parts = keys.split('+')
    const held = {
      shiftKey: parts.includes('shift'),
      ctrlKey: parts.includes('ctrl'),
      metaKey: parts.includes('meta'),
    }
    return fireEvent.keyDown(target ?? document.body, { key: parts.at(-1) ?? '', ...held })
  }

  return {
    app,
    line,
    field,
    log,
    press,
    async write(text: string) {
      fireEvent.change(await field(), { target: { value: text } })
    },
    async send(text: string, keys = 'Enter') {
      fireEvent.change(await field(), { target: { value: text } })
      press(keys, await field())
    },
    /** Waits for words in the thread. */
    reads: (text: string | RegExp) =>
      waitFor(() => within(screen.getByRole('log', { name: 'Messages' })).getAllByText(text)),
    /** The texts of the messages in the thread, in order. */
    async messages() {
      const rows = [...(await log()).querySelectorAll('[data-index]')]
      return rows.map((row) => row.querySelector('article .prose, article [dir=auto]')?.textContent ?? '')
    },
    async click(name: string | RegExp, at = 0) {
      const buttons = await screen.findAllByRole('button', { name })
      const button = buttons.at(at)
      if (button === undefined) throw new Error(`There is no button ${String(name)} at ${at}.`)
      fireEvent.click(button)
      return button
    },
    /** Chooses an item of the menu behind a button. */
    async choose(button: string, item: string, at = 0) {
      await this.click(button, at)
      fireEvent.click(await screen.findByRole('menuitem', { name: item }))
    },
    /** Rewinds to the question at this place, without sending. */
    async rewind(at: number) {
      await this.click('Rewind to here', at)
      await this.click('Rewind without sending')
    },
    toast: (text: string | RegExp) =>
      waitFor(() => within(screen.getByRole('region', { name: 'Notifications' })).getByText(text)),
    /** Leaves the page, as by a reload or by closing the tab. */
    leave() {
      page.unmount()
      leave()
      queries.clear()
    },
    [Symbol.dispose]() {
      page.unmount()
      leave()
      queries.clear()
      document.body.replaceChildren()
    },
  }
}
