import type { Child } from '../processes/child.ts'
import { toPrompt } from '../script.ts'
import { serverSentEvents } from './server-sent-events.ts'
import { readSent, type Target } from './target.ts'

/** The AI SDK written straight to an HTTP response, read as server-sent events. */
export function createBareTarget(server: Child): Target {
  return {
    name: 'bare',
    server,
    open: () =>
      Promise.resolve({
        async ask(script, onText) {
          const response = await fetch(server.url, { method: 'POST', body: toPrompt(script) })
          for await (const chunk of serverSentEvents(response)) readSent(chunk, onText)
        },
        close: () => Promise.resolve(),
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
