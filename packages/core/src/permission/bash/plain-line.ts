/** A word of a plain line. */
export type PlainWord = {
  /** Its text without quotes. */
  text: string
  /** Index in `text` of the first unquoted `*`, `?` or `[`; null when bash takes the text as it is. */
  glob: number | null
}

export type PlainCommand = {
  /** The name and its arguments; at least one word. */
  words: readonly PlainWord[]
  /** It runs in a process of its own, so that its `cd` moves nothing else. */
  piped: boolean
}

/** The characters that mean themselves outside of quotes. Braces, parentheses, `$`, `&`, `<`, `>` and backquotes are not among them. */
const PLAIN = /[A-Za-z0-9_./,:=@%+^!\]\p{L}\p{N}\p{M}-]+/uy
const GLOB = /[*?[]/y
const BLANK = /[ \t]+/y
const CONTINUATION = /\\\n/y
const COMMENT = /#[^\n]*/y
const ESCAPED = /\\([ -~])/y
/** In quotes any text but control characters, invisible ones and half characters. */
const SINGLE = /'((?:[^'\p{C}]|[\n\t])*)'/uy
/** A `$` in it is a literal one when no expansion can begin there. */
const DOUBLE = /"((?:[^"\\$`\p{C}]|[\n\t]|\\[ -~]|\\\n|\$(?=[" |)/.,\\]))*)"/uy
/** Output that is dropped or joined: the only redirects that write nothing. */
const QUIET = /(?:[12]?>>?[ \t]*\/dev\/null|&>[ \t]*\/dev\/null|2>&1|1?>&2)(?=[ \t\n;|&]|$)/y
const OPERATOR = /\|\||&&|[;|\n]/y

/**
 * Reads a line that has nothing but commands of literal words, quotes and globs, joined by `|`, `&&`, `||` and `;`. Returns its
 * commands in order, or null for any other line. Bash runs of such a line the programs that it names, and no others.
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
  const operator = scan.take(OPERATOR)
  if (operator !== null) return build.endCommand(operator)
  const glob = scan.take(GLOB)
  if (glob !== null) return build.add(glob, true)
  const text = scan.take(PLAIN) ?? scan.take(ESCAPED) ?? scan.take(SINGLE) ?? doubleQuoted(scan)
  if (text !== null) return build.add(text)
  return (
    (scan.take(/~/y) !== null && build.addTilde()) ||
    (build.inWord && scan.take(/#/y) !== null && build.add('#'))
  )
}

function doubleQuoted(scan: Scanner): string | null {
  return (
    scan
      .take(DOUBLE)
      ?.replaceAll(/\\(["\\$`\n])/g, (_, escaped: string) => (escaped === '\n' ? '' : escaped)) ?? null
  )
}

function createBuilder() {
  const commands: { words: PlainWord[]; piped: boolean }[] = []
  let words: PlainWord[] = []
  let word: PlainWord | null = null
  let before = ''

  function endWord(): true {
    // A bracket alone is the name of a command.
    if (word !== null) words.push(word.text === '[' ? { text: '[', glob: null } : word)
    word = null
    return true
  }

  return {
    get inWord() {
      return word !== null
    },
    endWord,
    add(text: string, isGlob = false): true {
      const { text: so, glob } = word ?? { text: '', glob: null }
      word = { text: so + text, glob: glob ?? (isGlob ? so.length : null) }
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
      if (words.length === 0) return operator === '\n'
      commands.push({ words, piped: before === '|' || operator === '|' })
      words = []
      before = operator
      return true
    },
    end(): PlainCommand[] | null {
      endWord()
      if (words.length === 0) return commands.length === 0 || /[|&]/.test(before) ? null : commands
      return [...commands, { words, piped: before === '|' }]
    },
  }
}
