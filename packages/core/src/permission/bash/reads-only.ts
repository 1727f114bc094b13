import { readArguments } from './options.ts'
import type { PlainCommand, PlainWord } from './plain-line.ts'
import { READING_COMMANDS, VERSIONED } from './reading-commands.ts'
import { type Reading, SPECIAL_COMMANDS } from './special-commands.ts'

/** What a decision about a command line depends on beside the line. */
export type BashFacts = {
  /** Real path of the folder in which it runs, and which it may read unasked; null when that is not known. */
  root: string | null
  /** Whether the settings of the folder's repository name programs that git would start to read it. */
  gitStartsPrograms?: boolean
}

/** Why a line is more than reading: the command, and what of it. */
export type Refusal = {
  command: string
  refused: string
  because: 'unlisted' | 'argument' | 'outside' | 'git'
}

/** Folders that a `cd` may have led to by some way through the line; more are not followed. */
const MAX_PLACES = 8

/** The paths that a plain line reads when each of its commands only reads; why not otherwise. */
export function whatRefuses(line: readonly PlainCommand[], facts: BashFacts): Refusal | { reads: string[] } {
  let places = ['']
  const reads: string[] = []
  for (const { words, piped } of line) {
    const [first, ...args] = words
    const command = first?.text ?? ''
    const read = readCommand(first, args, facts)
    if ('refused' in read) return { command, because: 'argument', ...read }
    const outside = read.paths.find((word) => isOutside(word, places, facts.root))
    if (outside !== undefined) return { command, refused: outside.text, because: 'outside' }
    reads.push(...read.paths.flatMap((word) => places.map((place) => join(place, word))))
    if (command === 'cd' && !piped) places = afterFolder(places, args[0]?.text ?? '')
    if (places.length > MAX_PLACES) return { command, refused: args[0]?.text ?? '', because: 'argument' }
  }
  return { reads }
}

/** A `cd` may fail, and the rest of the line then runs where it was. */
function afterFolder(places: readonly string[], target: string): string[] {
  const moved = places.map((place) => (target.startsWith('/') ? `${target}/` : `${place}${target}/`))
  return [...new Set([...places, ...moved])]
}

function readCommand(
  first: PlainWord | undefined,
  args: readonly PlainWord[],
  facts: BashFacts,
): Reading | (Pick<Refusal, 'refused'> & Partial<Refusal>) {
  const name = first?.text ?? ''
  if (first === undefined || first.glob !== null) return { refused: name, because: 'unlisted' }
  const [only, ...more] = args
  if (more.length === 0 && only !== undefined && VERSIONED.get(name)?.includes(only.text))
    return { paths: [] }
  if (name === 'cd') return readFolder(args)
  if (name === 'git' && facts.gitStartsPrograms === true) return { refused: 'git', because: 'git' }
  const special = SPECIAL_COMMANDS.get(name)
  if (special !== undefined) return special(args)
  const rule = READING_COMMANDS.get(name)
  if (rule === undefined) return { refused: name, because: 'unlisted' }
  const read = readArguments(rule, args)
  return 'refused' in read
    ? read
    : { paths: read.operands.filter(({ isPath }) => isPath).map(({ word }) => word) }
}

function readFolder(args: readonly PlainWord[]): Reading {
  const [folder, ...more] = args
  return folder !== undefined && more.length === 0 && folder.glob === null && /^[^-]/.test(folder.text)
    ? { paths: [folder] }
    : { refused: folder?.text ?? 'cd' }
}

/** Whether a word names a path outside of the root from one of these places, or may name one. */
function isOutside({ text, glob }: PlainWord, places: readonly string[], root: string | null): boolean {
  if (text === '/dev/null' || text === '/dev/stdin' || text === '-') return false
  // Such a pattern also matches the folder above.
  if (glob !== null && (/(?:^|\/)\.[*?[]/.test(text) || /(?:^|\/)\.\.(?:\/|$)/.test(text.slice(glob))))
    return true
  return places.some((place) => !isBelow(text.startsWith('/') ? text : `${place}/${text}`, text, place, root))
}

function isBelow(path: string, text: string, place: string, root: string | null): boolean {
  const isAbsolute = text.startsWith('/') || place.startsWith('/')
  if (!isAbsolute) return depth(path.split('/')) !== null
  if (root === null || root === '/') return false
  const steps = root.split('/').filter((step) => step !== '')
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return steps.every((step, index) => parts[index] === step) && depth(parts.slice(steps.length)) !== null
}

/** How many folders deep the steps lead; null when they lead above where they began. */
function depth(steps: readonly string[]): number | null {
  let deep = 0
  for (const step of steps) {
    if (step === '..') deep -= 1
    else if (step !== '' && step !== '.') deep += 1
    if (deep < 0) return null
  }
  return deep
}

/** The path as the system follows it, links and `..` included, up to its first glob. */
function join(place: string, { text, glob }: PlainWord): string {
  const fixed = glob === null ? text : text.slice(0, text.lastIndexOf('/', glob) + 1)
  return fixed.startsWith('/') ? fixed : `${place}${fixed}`
}
