import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '@palimpsest/core/domain'
import { drained } from '../drained.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { Outlet } from '../trpc/context.ts'

/** The output of a WebSocket, shared by all of its subscriptions. */
export function socketOutlet(socket: Socket): Outlet {
  let claimed = 0
  let waiting = 0
  let last: Promise<void> = Promise.resolve()

  async function untilWritable(): Promise<void> {
    // The stream before has written by then.
    await setImmediate()
    while (isFull(socket)) await drained(socket)
    waiting -= 1
  }

  return {
    claim() {
      if (claimed >= SERVER_LIMITS.subscriptionsPerSocket) {
        throw new AppError('RATE_LIMITED', 'This connection has too many subscriptions.')
      }
      claimed += 1
      return {
        [Symbol.dispose]: () => {
          claimed -= 1
        },
      }
    },
    writable() {
      if (waiting === 0 && !isFull(socket)) return Promise.resolve()
      // In turn: all at once would fill a connection that has just drained many times over.
      waiting += 1
      last = last.then(untilWritable)
      return last
    },
  }
}

/** Whether the bytes that wait in a socket reach the limit. */
export function isFull(socket: Socket): boolean {
  return socket.writableLength > SERVER_LIMITS.unsentBytes && !socket.destroyed
}

/** The output of an HTTP response, which tRPC itself writes to only when it is writable. */
export const responseOutlet: Outlet = {
  claim: () => ({ [Symbol.dispose]: () => undefined }),
  writable: () => Promise.resolve(),
}
