/** Bytes that are written in one go, a multiple of three. */
const SLICE = 6_144
/** Characters that are read in one go, a multiple of four. */
const READ = 262_144

/** Content in base64, with its length; null when it has more than `most` bytes. Made chunk by chunk, as the content comes. */
export async function toBase64(
  content: AsyncIterable<Uint8Array>,
  most: number,
): Promise<{ base64: string; bytes: number } | null> {
  const pieces: string[] = []
  let bytes = 0
  let rest = new Uint8Array()
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > most) return null
    const joined = new Uint8Array(rest.length + chunk.length)
    joined.set(rest)
    joined.set(chunk, rest.length)
    const whole = joined.length - (joined.length % 3)
    pieces.push(encodeBase64(joined.subarray(0, whole)))
    rest = joined.slice(whole)
  }
  pieces.push(encodeBase64(rest))
  return { base64: pieces.join(''), bytes }
}

/** The bytes of a base64 text, in pieces; fails where it is none. */
export async function* fromBase64(base64: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < base64.length; at += READ) yield decodeBase64(base64.slice(at, at + READ))
}

/** The bytes of a short base64 text; fails where it is none. */
export function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Bytes in base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += SLICE)
    binary += String.fromCharCode(...bytes.subarray(at, at + SLICE))
  return btoa(binary)
}
