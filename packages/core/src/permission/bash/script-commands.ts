import { type Reading, readArguments } from './options.ts'
import type { PlainWord } from './plain-line.ts'

/** Characters of a script that is checked. */
export const MAX_SCRIPT = 500

/** A list of characters without what would make its end a question of the version of sed; `end` ends the expression. */
const listOf = (end: string) => {
  const item = String.raw`(?:[^[\]\\${end}\n]|\[:[a-z]+:\]|\\[tnrfvsw.*+?()$^-])`
  return String.raw`\[\^?(?:\]|(?!\^)${item})${item}*\]`
}
const regexOf = (end: string) => String.raw`(?:[^${end}\\\n[]|\\[^\n]|${listOf(end)})*`
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/${regexOf('/')}/I?)`
const replacing = (name: string, end: string) =>
  String.raw`s${end}${name}${end}(?:[^${end}\\\n]|\\[^\n])*${end}[gpIi\d]*`
/** Characters between the parts of a replacement. */
const REPLACES = ['/', '|', '#', ',', '@', '%', '!', '~', ':']
  .map((end) => (end === '|' ? String.raw`\|` : end))
  .map((end) => replacing(regexOf(end), end))
  .join('|')
const VERB = String.raw`(?:[pdq=lGghHxnND]|y/[^/\\\n]*/[^/\\\n]*/|${REPLACES})`
const COMMAND = String.raw`(?:${ADDRESS}(?:,(?:${ADDRESS}|\+\d+))?)?!?${VERB}`
/** Commands of sed that print, delete or replace; `w`, `e`, `r` and `R` are not among them. */
const SED_SCRIPT = new RegExp(String.raw`^\s*${COMMAND}(?:\s*;\s*${COMMAND})*\s*;?\s*$`)
const SED_EXPRESSION = /^(?:-[nErsuz]*e|--expression)$/
const SED_OPTION = /^(?:-[nErsuz]+|-[nErsuz]*e|--quiet|--silent|--regexp-extended|--expression)$/

export function readSed(words: readonly PlainWord[]): Reading {
  const scripts = words.filter((_, at) => SED_EXPRESSION.test(words[at - 1]?.text ?? ''))
  const rest = words.filter((word) => !scripts.includes(word) && !SED_OPTION.test(word.text))
  const files = scripts.length > 0 ? rest : rest.slice(1)
  const checked = scripts.length > 0 ? scripts : rest.slice(0, 1)
  const refused =
    checked.find(({ text, glob }) => glob !== null || text.length > MAX_SCRIPT || !SED_SCRIPT.test(text)) ??
    files.find(({ text, glob }) => glob === 0 || /^-./.test(text))
  return refused === undefined && checked.length > 0 ? { paths: files } : { refused: refused?.text ?? '' }
}

/**
 * What a program of awk needs to start, write or read something else: words that say so, a pipe, a continued line, or an
 * output that is redirected. Looked for in all of its text, be it in a string or not.
 */
const AWK_REACHES =
  /\b(?:system|getline|close|fflush|ENVIRON|ARG[VC]|ARGIND|PROCINFO|SYMTAB|FUNCTAB|extension|func|function|nextfile)\b|@|\\\n|(?<!\|)\|(?!\|)|print.*>/s

export function readAwk(words: readonly PlainWord[]): Reading {
  const read = readArguments({ valued: 'Fv', operands: 'pattern' }, words)
  if ('refused' in read) return read
  const [program, ...files] = read.operands
  if (
    program === undefined ||
    program.word.glob !== null ||
    program.word.text.length > MAX_SCRIPT ||
    AWK_REACHES.test(program.word.text)
  )
    return { refused: program?.word.text ?? '' }
  return { paths: files.map(({ word }) => word) }
}
