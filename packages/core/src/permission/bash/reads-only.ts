import { type Read, type Reading, readArguments } from './options.ts'
import type { PlainCommand, PlainWord } from './plain-line.ts'
import { printsContents } from './prints-contents.ts'
import { isProved } from './proved-commands.ts'
import { PRINTING_HELP, READING_COMMANDS, VERSIONED } from './reading-commands.ts'
import { SPECIAL_COMMANDS } from './special-commands.ts'
import { walksFolders } from './walks-folders.ts'

/** What a decision about a command line depends on beside the line. */
export type BashFacts = {
  /** Real path of the folder in which it runs, and which it may read unasked; null when that is not known. */
  root: string | null
  /** Whether a line that only reads runs in a sandbox where it can do nothing else. Otherwise only the short list is allowed. */
  enforced?: boolean
  /** Whether git may start programs that the folder's repository names to read it. */
  gitStartsPrograms?: boolean
}

/** Why a line is more than reading: the command, and what of it. */
export type Refusal = {
  command: string
  refused: string
  because: 'unlisted' | 'argument' | 'outside' | 'git' | 'unproved'
}

/** What a line reaches on the disk, relative to where it runs; of all of it a link could lead outside. */
export type Reach = {
  /** Paths that it names; of a glob its folder. */
  reads: string[]
  /** Patterns that bash expands. A quoted `*`, `?` or `[` in one counts like the others. */
  globs: string[]
  /** Those of them that become options where a file has such a name: a match must not begin with a dash. */
  bare: string[]
  /** Words with a glob that has to match no name, so that bash leaves them as they are. */
  texts: string[]
  /** Folders in which a command follows every link. */
  trees: string[]
  /** Folders of which a command reads all that is below; '' for the one where it runs. */
  walks: string[]
  /** Folders in which it starts git; '' for the one where it runs. */
  gitFolders: string[]
  /** Those in which it prints contents of files that it has stored, also by a command that does more than read. */
  gitPrints: string[]
}

/** Folders that a `cd` may have led to by some way through the line; more are not followed. */
const MAX_PLACES = 8

/** What the commands of a plain line reach that only read, and of the others the first. */
export type LineReading = { reach: Reach; refusal: Refusal | null }

export function emptyReach(): Reach {
  return { reads: [], globs: [], bare: [], texts: [], trees: [], walks: [], gitFolders: [], gitPrints: [] }
}

/** Reads a plain line. */
export function readLine(line: readonly PlainCommand[], facts: BashFacts): LineReading {
  let places = ['']
  let refusal: Refusal | null = null
  if (facts.root !== null && KERNEL.test(facts.root)) return inKernel(line, facts.root)
  const reach = emptyReach()
  for (const { words, inputs, piped } of line) {
    const [first, ...args] = words
    const command = first?.text ?? ''
    notePrinting(reach, words, places)
    const read = whatReads(words, inputs, places, facts)
    if ('refused' in read) {
      refusal ??= read
      continue
    }
    note(reach, read, places, walksFolders(words))
    if (command === 'git') reach.gitFolders = [...new Set([...reach.gitFolders, ...places])]
    if (command === 'cd' && !piped) places = afterFolder(places, args[0]?.text ?? '')
    if (places.length > MAX_PLACES) {
      refusal ??= { command, refused: args[0]?.text ?? '', because: 'argument' }
      break
    }
  }
  return { reach, refusal }
}

/** A folder that holds those of the system: there a command reads them without a path that says so. */
function inKernel([command]: readonly PlainCommand[], root: string): LineReading {
  const name = command?.words[0]?.text ?? ''
  return { reach: emptyReach(), refusal: { command: name, refused: root, because: 'outside' } }
}

function whatReads(
  [first, ...args]: readonly PlainWord[],
  inputs: readonly PlainWord[],
  places: readonly string[],
  facts: BashFacts,
): Read | Refusal {
  const command = first?.text ?? ''
  const read = readCommand(first, args, facts)
  if ('refused' in read) return { command, because: 'argument', ...read }

  const exits = command === 'echo' ? undefined : args.find((word) => word.exits === true)
  if (exits !== undefined) return { command, refused: exits.text, because: 'argument' }
  const paths = [...read.paths, ...inputs]
  const outside = [...paths, ...(read.values ?? [])].find((word) => isOutside(word, places, facts.root))
  if (outside !== undefined) return { command, refused: outside.text, because: 'outside' }
  const isAllowed = facts.enforced === true || (inputs.length === 0 && isProved(command, args))
  return isAllowed ? { ...read, paths } : { command, refused: command, because: 'unproved' }
}

function notePrinting(reach: Reach, [first, ...args]: readonly PlainWord[], places: readonly string[]): void {
  if (first?.text === 'git' && printsContents(args.map(({ text }) => text)))
    reach.gitPrints = [...new Set([...reach.gitPrints, ...places])]
}

function note(
  { reads, globs, bare, texts, trees, walks }: Reach,
  read: Read,
  places: readonly string[],
  isWalk: boolean,
): void {
  const whole = (word: PlainWord) => places.map((place) => join(place, { ...word, glob: null }))
  // Without a path it begins where it runs.
  if (isWalk && read.paths.length === 0) walks.push(...places)
  for (const word of read.paths) {
    reads.push(...places.map((place) => join(place, word)))
    if (word.glob !== null) globs.push(...whole(word))
    if (read.follows === true) trees.push(...whole(word))
    if (isWalk) walks.push(...whole(word))
  }
  bare.push(...(read.bare ?? []).flatMap(whole))
  texts.push(...(read.texts ?? []).flatMap(whole))
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
): Read | (Pick<Refusal, 'refused'> & Partial<Refusal>) {
  const name = first?.text ?? ''
  if (first === undefined || first.glob !== null) return { refused: name, because: 'unlisted' }
  const [only, ...more] = args
  if (more.length === 0 && only !== undefined && isVersion(name, only.text)) return { paths: [] }
  if (name === 'cd') return readFolder(args)
  if (name === 'git' && facts.gitStartsPrograms === true) return { refused: 'git', because: 'git' }
  const special = SPECIAL_COMMANDS.get(name)
  if (special !== undefined) return special(args)
  const rule = READING_COMMANDS.get(name)
  if (rule === undefined) return { refused: name, because: 'unlisted' }
  const found = readArguments(rule, args)
  return 'refused' in found ? found : found.read
}

function isVersion(name: string, option: string): boolean {
  const isRead = READING_COMMANDS.has(name) || PRINTING_HELP.has(name)
  return VERSIONED.get(name)?.includes(option) === true || (isRead && /^--(?:version|help)$/.test(option))
}

function readFolder(args: readonly PlainWord[]): Reading {
  const [folder, ...more] = args
  return folder !== undefined && more.length === 0 && folder.glob === null && /^[^-]/.test(folder.text)
    ? { paths: [folder] }
    : { refused: folder?.text ?? 'cd' }
}

/** Folders of the system that hold environments of processes, settings of the kernel and devices. */
const KERNEL = /^\/(?:(?:proc|sys|dev)(?:\/|$)|$)/

/** Whether a word names a path outside of the root from one of these places, or may name one. */
function isOutside({ text, glob }: PlainWord, places: readonly string[], root: string | null): boolean {
  if (text === '/dev/null' || text === '-') return false
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
