import type { Span } from './mapped-text.ts'

/** A place where a text is, but for its indentation, and how the indentation of other lines is to be changed. */
export type IndentedMatch = Span & { reindent(text: string): string }

type Line = { indent: string; words: string; start: number; end: number }

/**
 * Whole lines that are those of `wanted` with another indentation, the same change in each of them: one that is added, one that is
 * left out, or another one for each that `wanted` has.
 */
export function indentedMatches(text: string, wanted: string): IndentedMatch[] {
  const withEnd = wanted.endsWith('\n')
  const sought = linesOf(withEnd ? wanted.slice(0, -1) : wanted)
  const first = sought.findIndex(({ words }) => words !== '')
  if (first === -1) return []
  const lines = linesOf(text)
  const found: IndentedMatch[] = []
  for (let at = 0; at + sought.length <= lines.length; at++) {
    if (lines[at + first]?.words !== sought[first]?.words) continue
    const place = lines.slice(at, at + sought.length)
    const reindentLine = changeOfIndent(sought, place)
    const [start, last] = [place[0]?.start, place.at(-1)]
    if (reindentLine === null || start === undefined || last === undefined) continue
    const end = withEnd ? (lines[at + sought.length]?.start ?? text.length) : last.end
    const reindent = (other: string) =>
      other.replaceAll(/^[ \t]*(?=[^ \t\r\n])/gm, (indent) => reindentLine(indent))
    found.push({ start, end, reindent })
  }
  return found
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (const { 0: line, index } of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    if (line === '' && index === text.length && index > 0 && !/[\r\n]$/.test(text)) break
    const body = line.replace(/[\r\n]+$/, '')
    const indent = /^[ \t]*/.exec(body)?.[0] ?? ''
    const words = body.slice(indent.length).trimEnd()
    const end = index + indent.length + words.length
    lines.push({ indent: words === '' ? '' : indent, words, start: index, end })
  }
  return lines
}

/** How the indentation of a line changes from `sought` to `place`; null when these are not the same lines or it is not uniform. */
function changeOfIndent(
  sought: readonly Line[],
  place: readonly Line[],
): ((indent: string) => string) | null {
  const pairs = new Map<string, string>()
  for (const [index, { indent, words }] of sought.entries()) {
    const line = place[index]
    if (line?.words !== words) return null
    if (words === '') continue
    if ((pairs.get(indent) ?? line.indent) !== line.indent) return null
    pairs.set(indent, line.indent)
  }
  if (new Set(pairs.values()).size < pairs.size) return null
  return addedIndent(pairs) ?? removedIndent(pairs) ?? mappedIndent(pairs)
}

function addedIndent(pairs: ReadonlyMap<string, string>): ((indent: string) => string) | null {
  const [[from, to] = ['', '']] = pairs
  const added = to.slice(0, to.length - from.length)
  const fits = [...pairs].every(([sought, found]) => found === added + sought)
  return fits ? (indent) => added + indent : null
}

function removedIndent(pairs: ReadonlyMap<string, string>): ((indent: string) => string) | null {
  const [[from, to] = ['', '']] = pairs
  const removed = from.slice(0, from.length - to.length)
  const fits = [...pairs].every(([sought, found]) => sought === removed + found)
  if (!fits) return null
  return (indent) => (indent.startsWith(removed) ? indent.slice(removed.length) : '')
}

/** Another indentation for each, such as spaces for tabs: deeper ones stay deeper. */
function mappedIndent(pairs: ReadonlyMap<string, string>): ((indent: string) => string) | null {
  const ordered = [...pairs].toSorted(([a], [b]) => a.length - b.length)
  const grows = ordered.every(([, found], index) => found.length >= (ordered[index - 1]?.[1].length ?? 0))
  if (!grows) return null
  const unit = unitOf(ordered)
  return (indent) => {
    const [known, found] = ordered.findLast(([sought]) => indent.startsWith(sought)) ?? ['', '']
    const rest = indent.slice(known.length)
    return found + (unit === null ? rest : rest.replaceAll(unit.from, () => unit.to))
  }
}

/** One level of indentation on both sides, from the first pair that shows it. */
function unitOf(pairs: readonly (readonly [string, string])[]): { from: string; to: string } | null {
  for (const [sought, found] of pairs) {
    const tabs = /^\t+$/.test(sought) ? sought.length : /^\t+$/.test(found) ? found.length : 0
    const [from, to] = [sought.length / tabs, found.length / tabs]
    if (tabs > 0 && Number.isInteger(from) && Number.isInteger(to) && from > 0 && to > 0)
      return { from: sought.slice(0, from), to: found.slice(0, to) }
  }
  return null
}
