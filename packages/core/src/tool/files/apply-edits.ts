import { type IndentedMatch, indentedMatches } from './indented-matches.ts'
import { endingOf, withEnding } from './line-endings.ts'
import { mappedOccurrences, mapText, occurrences, type Span } from './mapped-text.ts'

/** A text to be replaced. `all` replaces each place where it is; without it there must be exactly one. */
export type Edit = { old: string; new: string; all?: boolean | undefined }

/** How loosely the old text was compared: from byte for byte to one with other typographic characters. */
export const RUNGS = [
  'exact',
  'line endings and trailing blanks',
  'indentation',
  'typographic characters',
] as const

export type Rung = (typeof RUNGS)[number]

export type Edited = { type: 'edited'; text: string; rungs: Rung[] } | { type: 'refused'; reason: string }

/** Applies edits in order, each to what the ones before it left; all of them or none. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  let edited = text
  const rungs: Rung[] = []
  for (const [index, edit] of edits.entries()) {
    const result = applyEdit(edited, edit)
    if (result.type === 'refused') {
      const place = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}: ` : ''
      return { type: 'refused', reason: `${place}${result.reason} Nothing was changed.` }
    }
    edited = result.text
    rungs.push(result.rung)
  }
  return { type: 'edited', text: edited, rungs }
}

type Place = Span | IndentedMatch
type One = { type: 'edited'; text: string; rung: Rung } | { type: 'refused'; reason: string }

function applyEdit(text: string, edit: Edit): One {
  if (edit.old === '') return refused('The old text is empty.')
  if (edit.old === edit.new) return refused('The old and the new text are equal.')
  for (const rung of RUNGS) {
    const places = placesOf(rung, text, edit)
    if (places.length === 0) continue
    if (places.length > 1 && edit.all !== true)
      return refused(
        `The old text has ${places.length} matches${rung === 'exact' ? '' : ` but for ${rung}`}; add lines around it, or set all.`,
      )
    const replaced = replace(text, apart(places), edit)
    return replaced === text ? refused('The edit changes nothing.') : { type: 'edited', text: replaced, rung }
  }
  return refused('The old text was not found.')
}

function refused(reason: string): One {
  return { type: 'refused', reason }
}

function placesOf(rung: Rung, text: string, { old }: Edit): Place[] {
  switch (rung) {
    case 'exact':
      return occurrences(text, old)
    case 'line endings and trailing blanks':
      return comparedBy(withoutBlanks, text, old)
    case 'indentation':
      return indentedMatches(text, old)
    case 'typographic characters':
      return comparedBy(plain, text, old)
  }
}

type Simplify = (text: string) => ReturnType<typeof mapText>

function comparedBy(simplify: Simplify, text: string, old: string): Span[] {
  const wanted = simplify(old).text
  return wanted === '' ? [] : mappedOccurrences(simplify(text), wanted)
}

const BLANKS_AND_ENDING = /[ \t]*(?:\r\n|\r|\n)|[ \t]+$/g

const withoutBlanks: Simplify = (text) =>
  mapText(text, BLANKS_AND_ENDING, (token) => (/[\r\n]/.test(token) ? '\n' : ''))

/** Typographic characters by the ASCII ones that stand for them. */
const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '"': '\u201C\u201D\u201E\u201F\u2033',
    "'": '\u2018\u2019\u201A\u201B\u2032',
    '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
    ' ': '\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000',
    '...': '\u2026',
  }).flatMap(([ascii, characters]) => [...characters].map((character) => [character, ascii] as const)),
)

const BLANKS_ENDING_AND_TYPE = new RegExp(`${BLANKS_AND_ENDING.source}|[${[...PLAIN.keys()].join('')}]`, 'g')

const plain: Simplify = (text) =>
  mapText(text, BLANKS_ENDING_AND_TYPE, (token) => PLAIN.get(token) ?? (/[\r\n]/.test(token) ? '\n' : ''))

/** Those that do not overlap the ones before them. */
function apart(places: readonly Place[]): Place[] {
  const kept: Place[] = []
  for (const place of places) if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place)
  return kept
}

function replace(text: string, places: readonly Place[], edit: Edit): string {
  const whole = endingOf(text)
  const pieces: string[] = []
  let from = 0
  for (const place of places) {
    const ending = whole ?? endingOf(text.slice(place.start, place.end))
    const indented = 'reindent' in place ? place.reindent(edit.new) : edit.new
    pieces.push(text.slice(from, place.start), withEnding(indented, ending))
    from = place.end
  }
  return pieces.join('') + text.slice(from)
}
