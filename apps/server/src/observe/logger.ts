import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'
import type { LogSecrets } from './log-secrets.ts'

/** The logged part of an error: never the request or response that a provider's error carries or quotes. */
type LoggedError = { type: string; message: string; code?: unknown; stack?: string; cause?: LoggedError }

const MAX_CAUSES = 4
/** The place where the AI SDK, and JSON.parse, begin to quote their input. */
const QUOTES = /\b(?:Text|Value): [\s\S]*|, (?:\.{3})?"[\s\S]* is not valid JSON$/

export type LoggerOptions = {
  level: LevelWithSilent
  /** Values that no line may contain, in any field. */
  secrets: LogSecrets
  destination: DestinationStream
}

/** Structured logs, one JSON object a line. */
export function createLogger({ level, secrets, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: serialize, error: serialize },
      redact: [
        'authorization',
        'cookie',
        'token',
        'apiKey',
        '*.authorization',
        '*.cookie',
        '*.token',
        '*.apiKey',
      ],
    },
    { write: (line) => destination.write(secrets.redact(line)) },
  )
}

/** The core logs its errors under `error`. */
function serialize(error: unknown): LoggedError {
  return loggedError(error)
}

function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const message = error.message.replace(QUOTES, '')
  return {
    type: error.name,
    message,
    ...('code' in error && { code: error.code }),
    ...(error.stack !== undefined && { stack: error.stack.replace(error.message, () => message) }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: loggedError(error.cause, depth + 1) }),
  }
}
