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
const SED_OPTION = /^(?:-[nErsuz]+|--quiet|--silent|--regexp-extended)$/

export function readSed(words: readonly PlainWord[]): Reading {
  const scripts: PlainWord[] = []
  const rest: PlainWord[] = []
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = words.slice(at, at + 2)
    if (word === undefined || SED_OPTION.test(word.text)) continue
    if (!SED_EXPRESSION.test(word.text)) rest.push(word)
    else if (next === undefined) return { refused: word.text }
    else {
      scripts.push(next)
      at += 1
    }
  }
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

/** A variable that a program may have; others are its means to reach something. */
const AWK_VARIABLE = /^(?:[a-z_]\w*|FS|OFS|RS|ORS|NR|SUBSEP|IGNORECASE)=/

export function readAwk(words: readonly PlainWord[]): Reading {
  // Each option before the program, each assignment in a word of its own or behind its letter.
  const found = readArguments({ valued: 'Fv', texts: 'F', operands: 'pattern', ordered: true }, words)
  if ('refused' in found) return found
  const odd = words.find(
    ({ text }, at) =>
      (words[at - 1]?.text === '-v' || /^-v./.test(text)) && !AWK_VARIABLE.test(text.replace(/^-v/, '')),
  )
  if (odd !== undefined) return { refused: odd.text }
  const [program] = found.operands
  return program === undefined ||
    program.word.glob !== null ||
    program.word.text.length > MAX_SCRIPT ||
    AWK_REACHES.test(program.word.text)
    ? { refused: program?.word.text ?? '' }
    : found.read
}
