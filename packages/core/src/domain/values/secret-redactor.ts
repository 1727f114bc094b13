/** Shorter values are words, not secrets. */
const MIN_LENGTH = 3
/** Of fewer characters of base64 a text may hold the same by chance. */
const MIN_BASE64_LENGTH = 6

const REMOVED = '[removed]'

/**
 * Returns a function that removes every mention of these secrets from a text: as they are, without the spaces around them, with
 * the spaces in them changed, escaped for JSON (also inside another JSON text), percent-encoded and in base64. Upper and
 * lower case count as the same.
 */
export function createSecretRedactor(secrets: readonly string[]): (text: string) => string {
  const trimmed = new Set(secrets.map((secret) => secret.trim()).filter(({ length }) => length >= MIN_LENGTH))
  if (trimmed.size === 0) return (text) => text
  // The longest first: of a secret that begins with another nothing may stay.
  const longestFirst = [...trimmed].sort((one, other) => other.length - one.length)
  const mention = new RegExp(longestFirst.flatMap(patternsOf).join('|'), 'gi')
  return (text) => text.replace(mention, REMOVED)
}

function patternsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed())
  const literal = [encoded, encoded.replaceAll('%20', '+'), ...base64Forms(secret)]
  return [writtenPattern(secret), ...literal.map(escapeRegExp)]
}

/** Spaces as any others or as what JSON and URLs write for them, and backslashes before what JSON escapes. */
function writtenPattern(secret: string): string {
  return secret.replace(/\s+|["\\/]|[^\s"\\/]+/g, (piece) => {
    if (/\s/.test(piece)) return String.raw`(?:\s|\\+[nrt]|%[0-9a-f]{2}|\+)+`
    return /["\\/]/.test(piece) ? String.raw`\\*${escapeRegExp(piece)}` : escapeRegExp(piece)
  })
}

/** Base64 looks different at each of the three places where a secret may begin in what was encoded. */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret)
  return [0, 1, 2].flatMap((before) => {
    const all = String.fromCharCode(...new Uint8Array(before), ...bytes)
    const from = Math.ceil((before * 8) / 6)
    const core = btoa(all).slice(from, Math.floor((all.length * 8) / 6))
    if (core.length < MIN_BASE64_LENGTH) return []
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
