/** A word of a plain line. */
export type PlainWord = {
  /** Its text without quotes. */
  text: string
  /** Index in `text` of the first unquoted `*`, `?` or `[`; null when bash takes the text as it is. */
  glob: number | null
  /** Bash replaces a `$?` in it by the exit code of the command before. */
  exits?: true
}

export type PlainCommand = {
  /** The name and its arguments; at least one word. */
  words: readonly PlainWord[]
  /** The files that it reads as its input. */
  inputs: readonly PlainWord[]
  /** It runs in a process of its own, so that its `cd` moves nothing else. */
  piped: boolean
}

/** The characters that mean themselves outside of quotes. Braces, parentheses, `$`, `&`, `<`, `>` and backquotes are not among them. */
const PLAIN = /(?:[A-Za-z0-9_./,:=%+!\]\p{L}\p{N}\p{M}-]|[@^](?!\{))+/uy
/** What git has after a revision; braces without `,` and `..` in them are themselves. */
const REVISION = /[@^]\{[\w/-]*\}/y
const EXIT_CODE = /\$\?/y
const GLOB = /[*?[]/y
const BLANK = /[ \t]+/y
const CONTINUATION = /\\\n/y
const COMMENT = /#[^\n]*/y
const ESCAPED = /\\([ -~])/y
/** In quotes any text but control characters, invisible ones and half characters. */
const SINGLE = /'((?:[^'\p{C}]|[\n\t])*)'/uy
/** A `$` in it is a literal one when no expansion can begin there. */
const DOUBLE = /"((?:[^"\\$`\p{C}]|[\n\t]|\\[ -~]|\\\n|\$(?=[?" |)/.,\\]))*)"/uy
/** Output that is dropped or joined: the only redirects that write nothing. */
const QUIET = /(?:[12]?>>?[ \t]*\/dev\/null|&>[ \t]*\/dev\/null|2>&1|1?>&2)(?=[ \t\n;|&]|$)/y
const INPUT = /<(?![<(&>])/y
const OPERATOR = /\|\||&&|[;|\n]/y

/**
 * Reads a line that has nothing but commands of literal words, quotes and globs, joined by `|`, `&&`, `||` and `;`. A file
 * may be an input. Returns its commands in order, or null for any other line. Bash runs of such a line the programs that it names, and no others.
 */
export function readPlainLine(line: string): PlainCommand[] | null {
  const scan = createScanner(line)
  const build = createBuilder()
  while (!scan.ended) {
    if (!readToken(scan, build)) return null
  }
  return build.end()
}

type Scanner = ReturnType<typeof createScanner>
type Builder = ReturnType<typeof createBuilder>

function createScanner(line: string) {
  let at = 0
  return {
    get ended() {
      return at >= line.length
    },
    /** Takes what the sticky pattern matches here: its first group, or all of it. */
    take(pattern: RegExp): string | null {
      pattern.lastIndex = at
      const found = pattern.exec(line)
      if (found === null) return null
      at = pattern.lastIndex
      return found[1] ?? found[0]
    },
  }
}

function readToken(scan: Scanner, build: Builder): boolean {
  if (scan.take(CONTINUATION) !== null) return true
  if (scan.take(BLANK) !== null) return build.endWord()
  if (!build.inWord && (scan.take(COMMENT) ?? scan.take(QUIET)) !== null) return true
  if (!build.inWord && scan.take(INPUT) !== null) return build.beginInput()
  const operator = scan.take(OPERATOR)
  if (operator !== null) return build.endCommand(operator)
  const glob = scan.take(GLOB)
  if (glob !== null) return build.add(glob, true)
  if (readText(scan, build)) return true
  return (
    (scan.take(/~/y) !== null && build.addTilde()) ||
    (build.inWord && scan.take(/#/y) !== null && build.add('#'))
  )
}

function readText(scan: Scanner, build: Builder): boolean {
  const text = scan.take(REVISION) ?? scan.take(PLAIN) ?? scan.take(ESCAPED) ?? scan.take(SINGLE)
  if (text !== null) return build.add(text)
  const expanded = scan.take(EXIT_CODE) ?? doubleQuoted(scan)
  return expanded !== null && build.add(expanded, false, expanded.includes('$?'))
}

function doubleQuoted(scan: Scanner): string | null {
  return (
    scan
      .take(DOUBLE)
      ?.replaceAll(/\\(["\\$`\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped)) ?? null
  )
}

function createBuilder() {
  const commands: { words: PlainWord[]; inputs: PlainWord[]; piped: boolean }[] = []
  let words: PlainWord[] = []
  let inputs: PlainWord[] = []
  let word: PlainWord | null = null
  let before = ''
  let isInput = false

  function endWord(): true {
    if (word === null) return true
    // A bracket alone is the name of a command.
    if (isInput) inputs.push(word)
    else words.push(word.text === '[' ? { text: '[', glob: null } : word)
    word = null
    isInput = false
    return true
  }

  /** False for an input without a name, with a name that bash makes, or without a command. */
  function endInputs(): boolean {
    const isMade = inputs.some(({ glob, exits }) => glob !== null || exits === true)
    return !isInput && !isMade && (words.length > 0 || inputs.length === 0)
  }

  return {
    get inWord() {
      return word !== null
    },
    endWord,
    add(text: string, isGlob = false, exits = false): true {
      const { text: so, glob, exits: did } = word ?? { text: '', glob: null }
      word = { text: so + text, glob: glob ?? (isGlob ? so.length : null) }
      if (exits || did === true) word.exits = true
      return true
    },
    beginInput(): boolean {
      if (isInput) return false
      isInput = true
      return true
    },
    /** A tilde at the start of a word, or after `=` or `:`, names a home folder. */
    addTilde(): boolean {
      if (word === null || /[=:]$|^$/.test(word.text)) return false
      word = { ...word, text: `${word.text}~` }
      return true
    },
    endCommand(operator: string): boolean {
      endWord()
      if (!endInputs()) return false
      if (words.length === 0) return operator === '\n'
      commands.push({ words, inputs, piped: before === '|' || operator === '|' })
      words = []
      inputs = []
      before = operator
      return true
    },
    end(): PlainCommand[] | null {
      endWord()
      if (!endInputs()) return null
      if (words.length === 0) return commands.length === 0 || /[|&]/.test(before) ? null : commands
      return [...commands, { words, inputs, piped: before === '|' }]
    },
  }
}
