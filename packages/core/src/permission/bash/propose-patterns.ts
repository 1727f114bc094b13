import type { PlainCommand, PlainWord } from './plain-line.ts'

/** Programs that do different things by their first arguments, and how many of them name one. */
const VERBS: ReadonlyMap<string, number> = new Map([
  ...'git npm pnpm yarn bun cargo go docker podman kubectl helm gh glab pip pip3 uv poetry make apt apt-get brew systemctl dotnet mvn gradle terraform rails bundle composer mix deno turbo nx'
    .split(' ')
    .map((name) => [name, 1] as const),
  ...'npx node tsx python python3 ruby perl php'.split(' ').map((name) => [name, 1] as const),
])
/** With these before it the next word names what is run. */
const RUNS = /^(?:run|exec|dlx|x|compose|test)$/
/** Programs that run whatever their arguments are: a wide permission would allow everything. */
const RUN_ANYTHING = new Set(
  'sudo doas pkexec su env timeout nice nohup stdbuf setsid time command builtin exec eval xargs watch chroot unshare strace flock busybox parallel ssh bash sh zsh dash ksh fish source . rm dd find awk gawk mawk nawk sed gsed tar rsync scp sftp vi vim ex ed gdb rg sort'.split(
    ' ',
  ),
)

/**
 * The patterns that a lasting permission for a line could have: the exact command, and the same with other arguments. None
 * for a line of several commands, and none where `*` in an argument would be taken for a wildcard.
 */
export function proposePatterns(line: readonly PlainCommand[]): string[] {
  const [command, ...more] = line
  if (command === undefined || more.length > 0 || command.words.some(({ glob }) => glob !== null)) return []
  const narrow = textOf(command)
  if (narrow.includes('*')) return []
  const wide = wideOf(command)
  return wide === null || wide === narrow ? [narrow] : [narrow, wide]
}

function wideOf({ words }: PlainCommand): string | null {
  const [name = '', ...args] = words.map(({ text }) => text)
  if (RUN_ANYTHING.has(name) || name.includes('/')) return null
  const verbs = VERBS.get(name)
  if (verbs === undefined) return `${name} *`
  const taken = args.slice(0, RUNS.test(args[0] ?? '') && args.length > 1 ? 2 : verbs)
  // An option in its place may change what the program does altogether.
  if (taken.length === 0 || taken.some((word) => !/^[\w][\w./:@-]*$/.test(word))) return null
  return `${[name, ...taken].join(' ')} *`
}

/** One spelling of a command: its words with a blank between, quoted where bash needs it. */
export function textOf({ words, inputs }: PlainCommand): string {
  const all = [...words.map(spelled), ...inputs.map((word) => `< ${spelled(word)}`)]
  return all.join(' ')
}

function spelled({ text, glob, exits }: PlainWord): string {
  if (exits === true) return `"${text.replaceAll(/["\\`]/g, String.raw`\$&`)}"`
  return glob === null ? quoted(text) : text
}

/** The same for a name and its arguments. */
export function textOfWords(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(text: string): string {
  return /^[\w./,:=@%+^~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
