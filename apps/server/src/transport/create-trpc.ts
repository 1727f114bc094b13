import type { IncomingMessage } from 'node:http'
import type { SessionService } from '@palimpsest/core'
import type { Logger } from '@palimpsest/core/ports'
import type { SystemInfo } from '../trpc/context.ts'
import { createTrpcHttpHandler, type TrpcHttpHandler } from './http-handler.ts'
import { reportCallErrors } from './report-call-error.ts'
import { createTrpcSockets, type TrpcSockets } from './socket-handler.ts'
import { responseOutlet, socketOutlet } from './socket-outlet.ts'

export type TrpcDeps = {
  sessions: SessionService
  systemInfo(): SystemInfo
  /** Rights and rate of one more call on an open socket. */
  admit(request: IncomingMessage): Promise<void>
  isOwnAddress(origin: string, request: IncomingMessage): boolean
  logger: Logger
  /** See `SERVER_LIMITS.readerStallMs`. */
  readerStallMs: number
}

/** The API on both of its transports. */
export function createTrpc({ sessions, systemInfo, admit, isOwnAddress, logger, readerStallMs }: TrpcDeps): {
  trpc: TrpcHttpHandler
  sockets: TrpcSockets
} {
  const onError = reportCallErrors(logger)
  const serviceFor = (request: IncomingMessage) => ({
    sessions,
    systemInfo,
    isOwnAddress: (origin: string) => isOwnAddress(origin, request),
  })
  return {
    trpc: createTrpcHttpHandler({
      // The request was checked when it arrived.
      createContext: (request) => ({
        ...serviceFor(request),
        admit: () => Promise.resolve(),
        outlet: responseOutlet,
      }),
      onError,
      readerStallMs,
    }),
    sockets: createTrpcSockets({
      createContext: (request) => ({
        ...serviceFor(request),
        admit: () => admit(request),
        outlet: socketOutlet(request.socket),
      }),
      onError,
      readerStallMs,
    }),
  }
}
