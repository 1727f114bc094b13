/** Prompts whose digests are remembered: those of the sessions that are on just now. */
const REMEMBERED = 64

const digests = new Map<string, Promise<string>>()

/** SHA-256 of a text in lower-case hexadecimal. A prompt is asked for after each of its steps. */
export function digestOf(text: string): Promise<string> {
  const known = digests.get(text)
  if (known !== undefined) return known
  if (digests.size >= REMEMBERED) digests.clear()
  const digest = hexDigest(text)
  digests.set(text, digest)
  return digest
}

async function hexDigest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
