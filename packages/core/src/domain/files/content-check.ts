import { isPicture, isTextType } from './media-type.ts'

/** The first bytes of each type that can be recognised by them; `?` matches any byte. */
const SIGNATURES: readonly (readonly [mediaType: string, pattern: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '474946383761'],
  ['image/gif', '474946383961'],
  ['image/webp', '52494646????????57454250'],
  ['image/bmp', '424d'],
  ['image/tiff', '49492a00'],
  ['image/tiff', '4d4d002a'],
  ['image/avif', '????????6674797061766966'],
  ['image/heic', '????????667479706865'],
  ['image/heic', '????????667479706d6966'],
  ['application/pdf', '255044462d'],
  ['audio/mpeg', '494433'],
  ['audio/mpeg', 'fffb'],
  ['audio/mpeg', 'fff3'],
  ['audio/mpeg', 'fff2'],
  ['audio/wav', '52494646????????57415645'],
  ['audio/ogg', '4f676753'],
  ['audio/flac', '664c6143'],
  ['audio/aac', 'fff1'],
  ['audio/aac', 'fff9'],
  ['audio/mp4', '????????66747970'],
  ['audio/webm', '1a45dfa3'],
  ['video/mp4', '????????66747970'],
  ['video/quicktime', '????????66747970'],
  ['video/webm', '1a45dfa3'],
  ['video/ogg', '4f676753'],
]

/** Bytes from the start of a file that `contentProblem` needs. */
export const SIGNATURE_BYTES = 16

/** The type under which a file is served: its own where a browser only displays that, else one that nothing runs. */
export function servedType(mediaType: string): string {
  if (isTextType(mediaType)) return 'text/plain; charset=utf-8'
  const known = SIGNATURES.some(([type]) => type === mediaType)
  return known ? mediaType : 'application/octet-stream'
}

/**
 * Why the content of a file is not of its type; null when it may be. `head` are its first `SIGNATURE_BYTES` bytes, and
 * `isText` says that no byte of it is 0. Types that have no signature and are not text may have any content.
 */
export function contentProblem(
  mediaType: string,
  { head, isText }: { head: Uint8Array; isText: boolean },
): string | null {
  const problem = `The content of this file is not ${mediaType}.`
  if (isTextType(mediaType)) return isText || hasWideMark(head) ? null : problem
  const patterns = SIGNATURES.filter(([type]) => type === mediaType)
  const displayed = /^(image|audio|video)\//.test(mediaType)
  if (patterns.length === 0) return displayed && isText ? problem : null
  return patterns.some(([, pattern]) => matches(head, pattern)) ? null : problem
}

/** The type of a picture that pages show and models take, by its first `SIGNATURE_BYTES` bytes; null for any other content. */
export function pictureType(head: Uint8Array): string | null {
  return SIGNATURES.find(([type, pattern]) => isPicture(type) && matches(head, pattern))?.[0] ?? null
}

/** Whether content is a PDF, by its first bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return contentProblem('application/pdf', { head: bytes, isText: false }) === null
}

/** UTF-16 has bytes that are 0, and begins with a byte order mark. */
function hasWideMark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

function matches(head: Uint8Array, pattern: string): boolean {
  const bytes = pattern.match(/../g) ?? []
  return bytes.every((byte, at) => byte === '??' || head[at] === Number.parseInt(byte, 16))
}
