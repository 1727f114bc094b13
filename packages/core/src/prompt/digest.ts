import { sha256 } from '../domain/values/sha256.ts'
import type { SharedText, SystemPromptWrite } from '../ports/index.ts'

/** Prompts whose digests are remembered: those of the sessions that are on just now. */
const REMEMBERED = 64

const digests = new Map<string, Promise<string>>()

/** Characters from which a text that prompts share is stored beside them. */
const SHARED_FROM = 256

/** A system prompt as it is stored; `start` and `end` are its first and last characters that other prompts share. */
export async function promptRow(
  body: string,
  shared: { start: number; end: number },
): Promise<SystemPromptWrite> {
  const [digest, start, end] = await Promise.all([
    digestOf(body),
    sharedText(body.slice(0, shared.start)),
    sharedText(body.slice(body.length - shared.end)),
  ])
  return { digest, body, ...(start && { start }), ...(end && { end }) }
}

async function sharedText(text: string): Promise<SharedText | null> {
  return text.length < SHARED_FROM ? null : { digest: await digestOf(text), characters: text.length }
}

/** The digest of a system prompt. It is asked for after each of its steps. */
export function digestOf(prompt: string): Promise<string> {
  const known = digests.get(prompt)
  if (known !== undefined) return known
  if (digests.size >= REMEMBERED) digests.clear()
  const digest = sha256(prompt)
  digests.set(prompt, digest)
  return digest
}
