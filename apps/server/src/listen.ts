import { once } from 'node:events'
import type { Server } from 'node:http'
import { AppError } from '@palimpsest/core/domain'

/** Milliseconds that answers in progress may take before their connections are closed. */
const GOODBYE_MS = 250

/** Listens, or fails with the reason and what to do. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  const listening = once(server, 'listening')
  server.listen(port, host)
  try {
    await listening
  } catch (error) {
    throw describe(error, host, port)
  }
}

export function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Accepts no more connections and ends the open ones. */
export async function closeHttp(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const cut = setTimeout(() => server.closeAllConnections(), GOODBYE_MS)
  await closed
  clearTimeout(cut)
}

function describe(error: unknown, host: string, port: number): AppError {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const cause = { field: 'PORT', cause: error }
  switch (code) {
    case 'EADDRINUSE':
      return new AppError(
        'CONFLICT',
        `Port ${port} is taken. Set PORT to another one, such as ${port + 1}.`,
        cause,
      )
    case 'EACCES':
      return new AppError(
        'PERMISSION_DENIED',
        `Port ${port} needs rights that this user does not have. Set PORT to one above 1023.`,
        cause,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new AppError(
        'INVALID_INPUT',
        `${host} is no address of this machine. Set HOST to one that is.`,
        { field: 'HOST', cause: error },
      )
    default:
      return new AppError('INTERNAL', `The server could not listen on ${host}:${port}.`, cause)
  }
}
