import type { Locator } from '@playwright/test'
import type { ChatPage } from './chat-page.ts'

/** A reader of a thread: scrolls, and measures the positions of messages. */
export type Reader = {
  /** Scrolls by so many pixels, and waits until the thread has stopped moving. */
  scroll(pixels: number): Promise<void>
  /** The message at the upper edge of the thread. */
  topMessage(): Promise<Locator>
  /** Pixels from the upper edge of the window to the message's. */
  topOf(message: Locator): Promise<number>
  /** The height of the thread in pixels. */
  height(): Promise<number>
  /** Waits until the thread has stopped moving. */
  rest(): Promise<void>
  /** The largest movement of the message, measured in every frame until no reply is streaming. */
  driftDuringReply(message: Locator): Promise<number>
}

export function createReader({ page, thread }: ChatPage): Reader {
  const rest = () =>
    thread.evaluate(
      (element) =>
        new Promise<void>((resolve) => {
          let [top, height, still] = [-1, -1, 0]
          const look = () => {
            still = element.scrollTop === top && element.scrollHeight === height ? still + 1 : 0
            top = element.scrollTop
            height = element.scrollHeight
            if (still < 15) requestAnimationFrame(look)
            else resolve()
          }
          look()
        }),
    )

  return {
    rest,
    async scroll(pixels) {
      await thread.hover()
      await page.mouse.wheel(0, pixels)
      await rest()
    },
    async topMessage() {
      const id = await thread.evaluate((element) => {
        const { top } = element.getBoundingClientRect()
        const rows = [...element.querySelectorAll('[data-index]')]
        return rows.find((row) => row.getBoundingClientRect().bottom > top)?.id ?? ''
      })
      return page.locator(`[id="${id}"]`)
    },
    topOf: (message) => message.evaluate((element) => element.getBoundingClientRect().top),
    height: () => thread.evaluate((element) => element.scrollHeight),
    driftDuringReply: (message) =>
      message.evaluate(
        (element) =>
          new Promise<number>((resolve) => {
            const from = element.getBoundingClientRect().top
            let drift = 0
            const look = () => {
              drift = Math.max(drift, Math.abs(element.getBoundingClientRect().top - from))
              if (document.querySelector('[role=log][aria-busy=true]') === null) resolve(drift)
              else requestAnimationFrame(look)
            }
            look()
          }),
      ),
  }
}
