import { textOf } from './front-matter.ts'
import type { SourceWarning } from './read-text.ts'
import type { SourceDocument } from './read-documents.ts'
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
  return documents.flatMap(({ keys, body, name, source, path, warnings: problems }) => {
    const warn = (text: string) => void warnings.push({ path, text })
    for (const problem of problems) warn(problem)
    for (const key of keys.keys())
      if (key === 'allowed-tools') warn('Its allowed-tools give no permission.')
      else if (!KNOWN.has(key)) warn(`The key ${key.slice(0, 100)} is not known.`)
    if (body === '' || body.length > MAX_TEXT) {
      warn(body === '' ? 'It has no text and is left out.' : `It has over ${MAX_TEXT} characters and is left out.`)
      return []
    }
    const description = textOf(keys, 'description') ?? (body.split('\n')[0] ?? '').replace(/^#+\s*/, '')
    const hint = textOf(keys, 'argument-hint') ?? ''
    return [
      { name, description: short(description), hint: short(hint), text: body, source, path },
    ]
  })
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
