import { sha256 } from '../domain/sha256.ts'

/** Prompts whose digests are remembered: those of the sessions that are on just now. */
const REMEMBERED = 64

const digests = new Map<string, Promise<string>>()

/** The digest of a system prompt. It is asked for after each of its steps. */
export function digestOf(prompt: string): Promise<string> {
  const known = digests.get(prompt)
  if (known !== undefined) return known
  if (digests.size >= REMEMBERED) digests.clear()
  const digest = sha256(prompt)
  digests.set(prompt, digest)
  return digest
}
