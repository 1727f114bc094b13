import type { Child } from '../processes/child.ts'
import { toPrompt } from '../script.ts'
import type { Side } from './side.ts'

/** AI SDK straight to an HTTP response, read as server-sent events. */
export function createBareSide(server: Child): Side {
  return {
    name: 'bare',
    server,
    open: () =>
      Promise.resolve({
        async ask(script, onText) {
          const response = await fetch(server.url, { method: 'POST', body: toPrompt(script) })
          for await (const chunk of eventsOf(response)) {
            if (chunk.type === 'text-delta') onText(chunk.delta ?? '')
            if (chunk.type === 'error') throw new Error(chunk.errorText)
          }
        },
        close: () => Promise.resolve(),
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

type SentChunk = { type: string; delta?: string; errorText?: string }

async function* eventsOf(response: Response): AsyncGenerator<SentChunk> {
  if (response.body === null) throw new Error('The answer is empty')
  let rest = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      if (frame.startsWith('data: {')) yield JSON.parse(frame.slice('data: '.length)) as SentChunk
    }
  }
}
