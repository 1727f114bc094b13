import { parseDocument } from 'yaml'
import { isObject } from '../domain/json/stored-keys.ts'

/** Characters of the YAML at the start of a file. */
const MAX_CHARACTERS = 16_384

/** Aliases that YAML may expand: none of these files needs one. */
const MAX_ALIASES = 10

/** A Markdown file: the keys of the YAML at its start, and what follows. Values are what JSON can hold. */
export type FrontMatter = { keys: ReadonlyMap<string, unknown>; body: string; warnings: readonly string[] }

const OPENING = /^---[ \t]*\n/
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/m

/**
 * Splits a Markdown file at its front matter. YAML that cannot be read is read line by line as `key: value`, with a warning. Nothing in
 * it is executed. Never throws.
 */
export function readFrontMatter(text: string): FrontMatter {
  const opening = OPENING.exec(text)
  if (opening === null) return { keys: new Map(), body: text.trim(), warnings: [] }
  const rest = text.slice(opening[0].length)
  const closing = CLOSING.exec(rest)
  if (closing === null)
    return { keys: new Map(), body: text.trim(), warnings: ['The front matter has no end.'] }
  const yaml = rest.slice(0, closing.index)
  const body = rest.slice(closing.index + closing[0].length).trim()
  if (yaml.length > MAX_CHARACTERS)
    return { keys: new Map(), body, warnings: [`The front matter has over ${MAX_CHARACTERS} characters.`] }
  const keys = parseYaml(yaml)
  if (keys !== null) return { keys, body, warnings: [] }
  return {
    keys: readLines(yaml),
    body,
    warnings: ['The front matter is not valid YAML: it is read line by line.'],
  }
}

function parseYaml(yaml: string): Map<string, unknown> | null {
  try {
    const document = parseDocument(yaml, { schema: 'core', logLevel: 'silent', merge: false })
    if (document.errors.length > 0) return null
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES, mapAsMap: true })
    if (value === null || value === undefined) return new Map()
    if (!(value instanceof Map)) return null
    return new Map([...value].map(([key, inner]) => [String(key), plain(inner)]))
  } catch {
    // An alias bomb, or nesting that is too deep.
    return null
  }
}

/** Maps as objects without a prototype's keys; what else JSON cannot hold becomes null. */
function plain(value: unknown): unknown {
  if (value instanceof Map) {
    const entries = [...value].map(([key, inner]): [string, unknown] => [String(key), plain(inner)])
    return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'))
  }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'boolean') return value
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function readLines(yaml: string): Map<string, unknown> {
  const keys = new Map<string, unknown>()
  for (const line of yaml.split('\n')) {
    const [, key, value] = /^([\w-]+):[ \t]+(\S.*)$/.exec(line) ?? []
    if (key !== undefined && value !== undefined && !keys.has(key))
      keys.set(
        key,
        value
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2')
          .toWellFormed(),
      )
  }
  return keys
}

/** The text under a key on one line, trimmed; null when there is none. */
export function textOf(keys: ReadonlyMap<string, unknown>, key: string): string | null {
  const value = keys.get(key)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return null
  const text = value.replaceAll(/\s+/g, ' ').trim()
  return text === '' ? null : text
}

/** The names under a key: a list, or one text with commas; null when there is none. */
export function namesOf(keys: ReadonlyMap<string, unknown>, key: string): string[] | null {
  const value = keys.get(key)
  const texts = typeof value === 'string' ? splitNames(value) : Array.isArray(value) ? value : null
  if (texts !== null) return texts.filter((one) => typeof one === 'string').flatMap((one) => one.trim() || [])
  // opencode: `tools: {bash: false}` names what is on.
  if (!isObject(value)) return null
  return Object.entries(value).flatMap(([name, on]) => (on === true ? [name] : []))
}

/** Commas inside parentheses belong to the pattern of one name. */
function splitNames(text: string): string[] {
  return text.match(/[^,(]+(?:\([^)]*\))?/g) ?? []
}
