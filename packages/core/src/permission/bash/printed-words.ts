import type { SeenCommand } from './seen-command.ts'

/** Words of a printed text that are added to a command, and lines of it of which each makes one. */
const MAX_WORDS = 200
const MAX_LINES = 50

/** The texts that a command may print of its arguments: with its options, without them, and each of its own. */
export function printedBy(command: SeenCommand | null): string[] {
  if (command === null) return []
  const { name, args } = command
  switch (name) {
    case 'echo':
    case 'yes':
      return unescaped([args.join(' '), without(args).join(' ')])
    case 'printf': {
      const [format = '', ...values] = without(args)
      const filled = values.reduce((text, value) => text.replace(/%[-+ #0-9.]*[a-zA-Z]/, () => value), format)
      return unescaped([args.join(' '), filled, values.join(' '), ...values])
    }
    default:
      return []
  }
}

function without(args: readonly string[]): readonly string[] {
  const first = args.findIndex((arg) => !/^-[a-zA-Z-]*$/.test(arg))
  return first === -1 ? [] : args.slice(first)
}

/** Escapes of one byte, by its number. */
function decoded(text: string): string {
  return text
    .replaceAll(/\\x([\da-f]{1,2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\0?([0-7]{1,3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

function unescaped(texts: readonly string[]): string[] {
  const plain = texts.map((text) =>
    decoded(text.replaceAll(/\\(?:n|0(?![0-7]))/g, '\n').replaceAll(String.raw`\t`, ' ')),
  )
  return [...new Set(plain)]
}

/** A command to which words of an input are added. */
export type Extended = {
  /** Without these words. */
  command: SeenCommand
  /** With those of printed texts. */
  with(texts: readonly string[]): SeenCommand[]
}

const VALUED =
  /^(?:-[adEIJLnPRSs]|--(?:arg-file|delimiter|max-args|max-lines|max-procs|max-chars|replace|eof|process-slot-var))$/
const FLAG = /^-(?:[0prtxo]+|-(?:null|no-run-if-empty|interactive|verbose|exit|open-tty))$/

const EXTENDING = new Set(['xargs', 'gxargs', 'parallel'])

/** The command that `xargs` starts; null for any other. */
export function extendedBy({ name, args }: SeenCommand): Extended | null {
  const isOne = EXTENDING.has(name)
  const from = isOne ? 0 : args.findIndex((arg) => EXTENDING.has(arg.slice(arg.lastIndexOf('/') + 1))) + 1
  if (!isOne && from === 0) return null
  const own = args.slice(from)
  let at = 0
  while (own[at]?.startsWith('-')) {
    const word = own[at] ?? ''
    at += VALUED.test(word) && !FLAG.test(word) ? 2 : 1
    if (word === '--') break
  }
  const [program = 'echo', ...rest] = own.slice(at)
  const command = { name: program.slice(program.lastIndexOf('/') + 1), args: rest }
  const replaced =
    replacedBy(own.slice(0, at)) ?? (name === 'parallel' && rest.join(' ').includes('{}') ? '{}' : null)
  return {
    command,
    with: (texts) =>
      replaced === null
        ? texts.map((text) => appended(command, text))
        : texts.flatMap((text) => filled(command, replaced, text)),
  }
}

/** The text that `xargs` replaces by a line of its input. */
function replacedBy(options: readonly string[]): string | null {
  for (const [at, option] of options.entries()) {
    if (option === '-I') return options[at + 1] ?? '{}'
    const [, value] = /^(?:-[Ii]|--replace(?:=|$))(.*)$/s.exec(option) ?? []
    if (value !== undefined) return value === '' ? '{}' : value
  }
  return null
}

function appended({ name, args }: SeenCommand, text: string): SeenCommand {
  const words = text
    .replaceAll(/["'\\]/g, '')
    .split(/[\s\0]+/)
    .filter((word) => word !== '')
  return { name, args: [...args, ...words.slice(0, MAX_WORDS)] }
}

function filled({ name, args }: SeenCommand, replaced: string, text: string): SeenCommand[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.slice(0, MAX_LINES).map((line) => ({
    name: name.replaceAll(replaced, line),
    args: args.map((arg) => arg.replaceAll(replaced, line)),
  }))
}
