import type { Socket } from 'node:net'
import { AppError } from '@palimpsest/core/domain'
import { SERVER_LIMITS } from '../limits.ts'
import { roomIn } from '../room-in.ts'
import type { Outlet } from './context.ts'

/** The way out of a WebSocket: one for the connection, shared by all of its subscriptions. */
export function socketOutlet(socket: Socket): Outlet {
  let claimed = 0
  let draining: Promise<void> | null = null

  function drained(): Promise<void> {
    draining ??= roomIn(socket).finally(() => {
      draining = null
    })
    return draining
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
    async room() {
      while (socket.writableLength > SERVER_LIMITS.unsentBytes && !socket.destroyed) await drained()
    },
  }
}

/** The way out of an HTTP response, which tRPC itself only writes to when there is room. */
export const responseOutlet: Outlet = {
  claim: () => ({ [Symbol.dispose]: () => undefined }),
  room: () => Promise.resolve(),
}
