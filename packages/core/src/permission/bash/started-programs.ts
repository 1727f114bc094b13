import { GRAMMARS, type Grammar, MANAGERS, NONE, PREFIXES } from './program-grammars.ts'
import type { SeenCommand } from './seen-command.ts'

/** What a prefix runs, where its options show where that begins; null for other commands and options. */
export function prefixedBy({ name, args }: SeenCommand): SeenCommand[] | null {
  const prefix = PREFIXES.get(name)
  if (prefix === undefined) return null
  const { at, isSure } = positionIn(args, 0, prefix)
  return isSure ? commandAt(args, at) : null
}

/** What a program starts: for certain, or where its arguments do not show which of them it is. */
export type Started = { certain: SeenCommand[]; possible: SeenCommand[]; scripts: string[] }

export const NOTHING_STARTED: Started = { certain: [], possible: [], scripts: [] }

const EDITORS = new Set(['vim', 'vi', 'nvim', 'ex', 'view'])

/** What the arguments of a program name that it starts. */
export function startedBy({ name, args }: SeenCommand): Started {
  const found: Started = { certain: [], possible: [], scripts: [] }
  for (const one of GRAMMARS.get(name) ?? []) noteStarted(found, args, one)
  const verbs = MANAGERS.get(name)
  const word = args.findIndex((arg) => !arg.startsWith('-'))
  if (verbs !== undefined && word !== -1 && !verbs.has(args[word] ?? ''))
    found.possible.push(...commandAt(args, word))
  if (name === 'gdb') found.scripts.push(...scriptsOfGdb(args))
  if (EDITORS.has(name))
    found.scripts.push(...args.filter((arg) => arg.startsWith('+!')).map((arg) => arg.slice(2)))
  return found
}

function noteStarted(found: Started, args: readonly string[], { verbs, behind, ...rest }: Grammar): void {
  const from = verbs === undefined ? 0 : verbAt(args, verbs)
  if (from === null) return
  const { at, isSure, scripts } = positionIn(args, from, rest)
  found.scripts.push(...scripts)
  if (behind !== undefined) {
    const sign = args.indexOf(behind)
    if (sign !== -1) found.certain.push(...commandAt(args, sign + 1))
    return
  }
  if (scripts.length > 0) return
  // Some take whole lines.
  if (/\s/.test(args[at] ?? '')) found.scripts.push(...args.slice(at))
  if (isSure) found.certain.push(...commandAt(args, at))
  // One of the options may have a value, and then it is the next word.
  else found.possible.push(...commandAt(args, at), ...commandAt(args, at + 1))
}

/** Where arguments begin behind a verb that only options, and their values, stand before. */
function verbAt(args: readonly string[], verbs: readonly string[]): number | null {
  for (const [at, word] of args.slice(0, 4).entries()) {
    const isBare = !word.startsWith('-') && args[at - 1]?.startsWith('-') !== true
    if (verbs.includes(word)) return at + 1
    if (isBare) return null
  }
  return null
}

function positionIn(
  args: readonly string[],
  from: number,
  options: Pick<Grammar, 'valued' | 'flags' | 'scripts' | 'before'>,
): { at: number; isSure: boolean; scripts: string[] } {
  const scripts: string[] = []
  let isSure = true
  let at = from
  while (at < args.length && args[at] !== '--') {
    const { taken, script, isKnown } = readOption(args[at] ?? '', args[at + 1] ?? '', options)
    if (taken === 0 && options.before !== NONE) break
    if (script !== undefined && script !== '') scripts.push(script)
    isSure &&= isKnown
    at += Math.max(1, taken)
  }
  return { at: at + (args[at] === '--' ? 1 : 0) + options.before, isSure, scripts }
}

type Option = { taken: 0 | 1 | 2; script?: string; isKnown: boolean }

/** How many words an option, or an assignment, takes; 0 for any other word. */
function readOption(
  word: string,
  next: string,
  { valued, flags, scripts }: Pick<Grammar, 'valued' | 'flags' | 'scripts'>,
): Option {
  if (!word.startsWith('-')) return { taken: /^\w+=/.test(word) ? 1 : 0, isKnown: true }
  const sign = word.indexOf('=')
  const option = sign === -1 ? word : word.slice(0, sign)
  const letter = word.startsWith('--') ? option : word.slice(0, 2)
  if (scripts.has(option) || scripts.has(letter))
    return readScript(word, next, scripts.has(word) ? word : letter)
  if (valued.has(word)) return { taken: 2, isKnown: true }
  return { taken: 1, isKnown: sign !== -1 || valued.has(letter) || flags.has(word) }
}

/** An option whose value is a script, in its own word or the next. */
function readScript(word: string, next: string, option: string): Option {
  if (word === option) return { taken: 2, script: cleaned(next), isKnown: true }
  return { taken: 1, script: cleaned(word.slice(option.length).replace(/^=/, '')), isKnown: true }
}

/** A script without the sign by which an editor takes it for one, or `tar` for an action. */
function cleaned(script: string): string {
  return script.replace(/^(?::?!|exec=)/, '')
}

/** Lines of gdb that a shell runs. */
function scriptsOfGdb(args: readonly string[]): string[] {
  return args.flatMap(
    (arg) => /^(?:--?e(?:x|val-command)=)?(?:!|shell\s|pipe\s|make\s)(.*)$/s.exec(arg)?.[1] ?? [],
  )
}

/** The command that begins at a position; of a package the program of its name, without its version. */
function commandAt(args: readonly string[], at: number): SeenCommand[] {
  const [first, ...rest] = args.slice(at)
  if (first === undefined || first === '') return []
  const name = first.slice(first.lastIndexOf('/') + 1).replace(/(?<=.)@[^@]*$/, '')
  return [{ name, args: rest }]
}
