import { MCP_LIMITS } from '@palimpsest/core/ports'

/** What a server may send within a window of so many milliseconds. */
const WINDOW_MS = 10_000
const BYTES = 64_000_000
const MESSAGES = 5_000

/** Counts what a server sends. Returns false once it is more than one that works would send. */
export type Traffic = { add(bytes: number, messages: number): boolean }

export const FLOOD = 'The server sent too much at once.'
export const TOO_MANY_VALUES =
  'The server sent a message with too many values, or values too deep inside one another.'
export const TOO_LONG = `The server sent a message of more than ${MCP_LIMITS.messageBytes / 1_000_000} MB.`

export function createTraffic(elapsed: () => number): Traffic {
  let since = elapsed()
  let bytes = 0
  let messages = 0
  return {
    add(moreBytes, moreMessages) {
      if (elapsed() - since > WINDOW_MS) {
        since = elapsed()
        bytes = 0
        messages = 0
      }
      bytes += moreBytes
      messages += moreMessages
      return bytes <= BYTES && messages <= MESSAGES
    },
  }
}
