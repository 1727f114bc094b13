import { MCP_LIMITS } from '@palimpsest/core/ports'
import { createMessageValues } from './message-values.ts'
import { FLOOD, TOO_LONG, TOO_MANY_VALUES, type Traffic } from './traffic.ts'

const [NEWLINE, RETURN] = [0x0a, 0x0d]

/**
 * `fetch` with bounds on what comes back: an answer, and each event of a stream of events, has at most
 * `MCP_LIMITS.messageBytes` after decompression, and as many values as can be parsed at once. `onExcess` is called with the reason, and the body fails.
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
  const values = createMessageValues()
  let bytes = 0

  /** `last` is what belongs to the message that is not complete. */
  function excess(chunk: Uint8Array, events: number, last: Uint8Array): string | null {
    if (bytes > MCP_LIMITS.messageBytes) return TOO_LONG
    if (!traffic.add(chunk.length, events)) return FLOOD
    return values.add(Buffer.from(last.buffer, last.byteOffset, last.length)) ? null : TOO_MANY_VALUES
  }

  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const { events, rest } = isStream ? eventEnds(chunk) : { events: 0, rest: null }
      bytes = rest ?? bytes + chunk.length
      if (rest !== null) values.restart()
      const reason = excess(chunk, events, chunk.subarray(chunk.length - (rest ?? chunk.length)))
      if (reason === null) return controller.enqueue(chunk)
      controller.error(new Error(reason))
      onExcess(reason)
    },
  })
}

/**
 * How many empty lines end events in a piece of a stream, and the bytes behind the last one; null when there is none. A line ends
 * with a newline, a return, or both.
 */
function eventEnds(chunk: Uint8Array): { events: number; rest: number | null } {
  let events = 0
  let rest: number | null = null
  for (let at = 0; at < chunk.length; at++) {
    const [byte, next] = [chunk[at], chunk[at + 1]]
    if (byte !== NEWLINE && byte !== RETURN) continue
    if (next !== byte && !(byte === NEWLINE && next === RETURN)) continue
    events += 1
    rest = chunk.length - at
  }
  return { events, rest }
}
