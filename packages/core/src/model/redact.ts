const MAX_LENGTH = 300

/** Things in a provider's words that a person must not read: keys, and what URLs carry after their path. */
const SECRETS = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|rk|pk|gsk|xai|hf|nvapi|tgp|key|token)[-_][A-Za-z0-9*._-]{6,}/gi,
  /\bAIza[A-Za-z0-9*_-]{8,}/g,
  /\b[A-Za-z0-9_]{32,}\b/g,
  /(?<=\b(?:api[-_ ]?key|key|token|password|secret)["']?\s*[:=]\s*["']?)[^\s"',]+/gi,
]

/** A provider's own words, made fit to show: keys and URL details removed, one line, at most 300 characters. */
export function redact(words: string): string {
  const withoutUrls = words.replace(/https?:\/\/[^\s"'<>)]+/g, (url) =>
    url.replace(/\/\/[^/@]*@/, '//').replace(/[?#].*$/, ''),
  )
  const clean = SECRETS.reduce((text, secret) => text.replace(secret, '[removed]'), withoutUrls)
  const line = clean.replace(/\s+/g, ' ').trim()
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line
}
