import { createSecretRedactor } from '@palimpsest/core/domain'

/** Characters of the shortest value that counts as a secret; shorter ones are words. */
const MIN_SECRET = 6
/** Values that are remembered beside the first ones, the latest. */
const ADDED = 500

/** The values that no log line may contain. */
export interface LogSecrets {
  /** Removes them from a text. */
  redact(text: string): string
  /** Adds values that came in while the server runs, such as an entered key. */
  add(secrets: readonly string[]): void
}

export function createLogSecrets(initial: readonly string[]): LogSecrets {
  const isSecret = ({ length }: string) => length >= MIN_SECRET
  const first = initial.filter(isSecret)
  let added: string[] = []
  let redact = createSecretRedactor(first)
  return {
    redact: (text) => redact(text),
    add(secrets) {
      const fresh = secrets.filter((secret) => isSecret(secret) && !added.includes(secret))
      if (fresh.length === 0) return
      added = [...added, ...fresh].slice(-ADDED)
      redact = createSecretRedactor([...first, ...added])
    },
  }
}
