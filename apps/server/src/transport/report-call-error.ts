import { isServerFault } from '@palimpsest/core/domain'
import type { Logger } from '@palimpsest/core/ports'
import type { TRPCError } from '@trpc/server'
import { toWireError } from '../trpc/errors.ts'

export type CallErrorHandler = (error: TRPCError, path: string | undefined) => void

/** Logs the error of a call: the caller's mistakes at debug level, ours with their cause. */
export function reportCallErrors(logger: Logger): CallErrorHandler {
  return (error, path) => {
    const broken = socketFault(error)
    if (broken !== null) {
      logger.warn({ code: broken }, 'A socket was closed for what came over it')
      return
    }
    const known = toWireError(error)
    if (isServerFault(known)) logger.error({ path, code: known.code, err: known }, 'A call failed')
    else logger.debug({ path, code: known.code, field: known.field }, 'A call was refused')
  }
}

/** The code of a socket's own error, such as a too long message or an invalid frame; null for any call. */
function socketFault({ cause }: TRPCError): string | null {
  const code = cause !== undefined && 'code' in cause ? cause.code : null
  return typeof code === 'string' && /^(WS_ERR_|ECONNRESET$|EPIPE$)/.test(code) ? code : null
}
