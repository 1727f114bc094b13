/** Shorter values are words, not secrets. */
const MIN_LENGTH = 3

const REMOVED = '[removed]'

/**
 * A function that takes every mention of these secrets out of a text: as they are, without the spaces around them, with
 * spaces in them folded, percent-encoded, escaped for JSON (once or inside another JSON text) and in base64. Upper and
 * lower case count as the same.
 */
export function createSecretRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap(formsOf).filter((form) => form.length >= MIN_LENGTH))
  if (forms.size === 0) return (text) => text
  // The longest first: of a form within a form nothing may stay.
  const longestFirst = [...forms].sort((one, other) => other.length - one.length)
  const mention = new RegExp(longestFirst.map(escapeRegExp).join('|'), 'gi')
  return (text) => text.replace(mention, REMOVED)
}

function formsOf(given: string): string[] {
  const secret = given.trim()
  if (secret.length < MIN_LENGTH) return []
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    secret.replace(/\s+/g, ' '),
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    ...percentForms(secret),
    ...base64Forms(secret),
  ]
}

function percentForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret.toWellFormed())
  return [encoded, encoded.replaceAll('%20', '+'), encodeURI(secret.toWellFormed())]
}

/** Base64 looks different at each of the three places where a secret may begin in what was encoded. */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret)
  return [0, 1, 2].flatMap((before) => {
    const all = String.fromCharCode(...new Uint8Array(before), ...bytes)
    const from = Math.ceil((before * 8) / 6)
    const core = btoa(all).slice(from, Math.floor((all.length * 8) / 6))
    // Of few characters it would be found in any text.
    return core.length < 6 ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
