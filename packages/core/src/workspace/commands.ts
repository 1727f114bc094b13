import { textOf } from './front-matter.ts'
import type { SourceDocument } from './read-documents.ts'
import type { SourceWarning } from './read-text.ts'
import type { SourceKind } from './skills.ts'

/** A text that a person sends by its name. */
export type Command = {
  name: string
  description: string
  /** What it takes, for a person; empty without a hint. */
  hint: string
  text: string
  source: SourceKind
  path: string
}

const KNOWN: ReadonlySet<string> = new Set(['name', 'description', 'argument-hint'])
const MAX_TEXT = 100_000
const MAX_SHOWN = 1_024

/** Commands of these files. Nothing in them permits anything, and nothing in them is executed. */
export function toCommands(documents: readonly SourceDocument[], warnings: SourceWarning[]): Command[] {
  return documents.flatMap((document) => {
    const { keys, body, name, source, path } = document
    warnings.push(...warningsOf(document).map((text) => ({ path, text })))
    if (body === '' || body.length > MAX_TEXT) return []
    const description = textOf(keys, 'description') ?? (body.split('\n')[0] ?? '').replace(/^#+\s*/, '')
    const hint = textOf(keys, 'argument-hint') ?? ''
    return [{ name, description: short(description), hint: short(hint), text: body, source, path }]
  })
}

function warningsOf({ keys, body, warnings }: SourceDocument): string[] {
  const odd = [...keys.keys()].filter((key) => !KNOWN.has(key)).map(warningOf)
  const size =
    body === ''
      ? ['It has no text and is left out.']
      : body.length > MAX_TEXT
        ? [`It has over ${MAX_TEXT} characters and is left out.`]
        : []
  return [...warnings, ...odd, ...size]
}

function warningOf(key: string): string {
  return key === 'allowed-tools'
    ? 'Its allowed-tools give no permission.'
    : `The key ${key.slice(0, 100)} is not known.`
}

/**
 * The text of a command with what a person wrote behind its name: in the place of `$ARGUMENTS` and, word by word, of `$1` to `$9`; behind
 * the text where it has no such place.
 */
export function expandCommand({ text }: Pick<Command, 'text'>, given: string): string {
  const written = given.trim()
  const words = written === '' ? [] : written.split(/\s+/)
  let placed = false
  const expanded = text.replaceAll(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_, place: string) => {
    placed = true
    return place === 'ARGUMENTS' ? written : (words[Number(place) - 1] ?? '')
  })
  return placed || written === '' ? expanded : `${expanded}\n\n${written}`
}

function short(text: string): string {
  return text.slice(0, MAX_SHOWN).toWellFormed()
}
