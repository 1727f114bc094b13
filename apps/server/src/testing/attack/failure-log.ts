import { AppError } from '@palimpsest/core/domain'
import type { Logger } from '@palimpsest/core/ports'
import { silentLogger } from '@palimpsest/testing'

const OURS = ['INTERNAL', 'STORE_ERROR']

/** A logger that collects the faults of a server, which no input may cause. Refusals by name are no faults. */
export function createFailureLog(): { logger: Logger; failures: unknown[] } {
  const failures: unknown[] = []
  const logger = {
    ...silentLogger,
    error(fields: { error?: unknown; err?: unknown }, message: string) {
      const error = fields.error ?? fields.err
      if (!(error instanceof AppError) || OURS.includes(error.code)) failures.push({ message, ...fields })
    },
  }
  return { logger, failures }
}
