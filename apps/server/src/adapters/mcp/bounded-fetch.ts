import { MCP_LIMITS } from '@palimpsest/core/ports'
import { FLOOD, TOO_LONG, type Traffic } from './traffic.ts'

const [NEWLINE, RETURN] = [0x0a, 0x0d]

/**
 * `fetch` with bounds on what comes back: an answer, and each event of a stream of events, has at most
 * `MCP_LIMITS.messageBytes` after decompression. `onExcess` is called with the reason, and the body fails.
 */
export function createBoundedFetch(traffic: Traffic, onExcess: (reason: string) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { body, status, statusText, headers } = response
    if (body === null || status < 200 || (status >= 300 && status < 400)) return response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const bounded = body.pipeThrough(boundedBytes(isStream, traffic, onExcess))
    return new Response(bounded, { status, statusText, headers })
  }
}

function boundedBytes(isStream: boolean, traffic: Traffic, onExcess: (reason: string) => void) {
  let bytes = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const { events, rest } = isStream ? eventEnds(chunk) : { events: 0, rest: null }
      bytes = rest ?? bytes + chunk.length
      const reason =
        bytes > MCP_LIMITS.messageBytes ? TOO_LONG : traffic.add(chunk.length, events) ? null : FLOOD
      if (reason === null) return controller.enqueue(chunk)
      controller.error(new Error(reason))
      onExcess(reason)
    },
  })
}

/** How many empty lines end events in a piece of a stream, and the bytes behind the last one; null when there is none. */
function eventEnds(chunk: Uint8Array): { events: number; rest: number | null } {
  let events = 0
  let rest: number | null = null
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) {
    const next = chunk[at + 1]
    if (next !== NEWLINE && next !== RETURN) continue
    events += 1
    rest = chunk.length - at
  }
  return { events, rest }
}
