import { beforeVerb, fromVerb, VERBS } from './git-words.ts'

/** Subcommands of git that run a command in their arguments: `submodule foreach`, `bisect run`, `rebase --exec`. */
const RUNNING = new Set(['submodule', 'bisect', 'rebase', 'filter-branch', 'difftool'])
/** Options of others that name a program, with its arguments. */
const PROGRAM = /^--(?:exec?|upload[\w-]*|rec(?:eive)?[\w-]*|extcmd|open[\w-]*)(?:=|$)/
const PROGRAM_LETTER: ReadonlyMap<string, RegExp> = new Map([
  ['clone', /^-u/],
  ['grep', /^-O/],
])

/** Words of one call that may begin a command. */
const MAX_WORDS = 50

/** Settings that start no program and define none. */
const HARMLESS =
  /^(?:user\.(?:name|email)|init\.defaultbranch|(?:color|advice|column|status)\..*|core\.(?:quotepath|autocrlf|eol|safecrlf|abbrev|filemode|longpaths|ignorecase)|(?:commit|tag)\.gpgsign|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|fetch\.prune|rebase\.(?:autostash|autosquash|updaterefs)|merge\.(?:ff|conflictstyle)|diff\.(?:algorithm|renames|context|noprefix|mnemonicprefix|colormoved)|protocol\.version|safe\.directory|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version))$/i
/** Options with which git prints about itself and runs no subcommand. */
const ABOUT_ITSELF = /^(?:--(?:version|help|html-path|man-path|info-path|exec-path)|-[vh])$/

/** Variables from which git takes settings, programs or its home folder; but for those with a value that starts nothing. */
const VARIABLE =
  /\b(?:GIT_(?!(?:AUTHOR|COMMITTER)_|TERMINAL_PROMPT\b|OPTIONAL_LOCKS\b|TRACE|DIR\b|WORK_TREE\b|INDEX_FILE\b|LITERAL_PATHSPECS\b|(?:PAGER|EDITOR|SEQUENCE_EDITOR)=["']?(?:cat|true|:)?["']?(?![^\s;&|)]))\w+|(?:(?:VISUAL|EDITOR)(?!=(?:cat|true|:)(?![^\s;&|)]))|SSH_ASKPASS|HOME|XDG_CONFIG_HOME)(?==))/
/** The same with the sign of an assignment behind it. */
const ASSIGNED = new RegExp(String.raw`${VARIABLE.source}\+?=`)

/** Scripts in arguments of git, and what of them may be a command, word by word. */
export function scriptsOfGit(args: readonly string[]): { scripts: string[]; commands: string[][] } {
  const [verb = '', ...rest] = fromVerb(args)
  const isProgram = (word: string) => PROGRAM.test(word) || PROGRAM_LETTER.get(verb)?.test(word) === true
  const set = beforeVerb(args).filter((word) => /^[^-].*=/s.test(word))
  const named = rest.flatMap((word, at) => (isProgram(word) ? [valueIn(word), rest[at + 1] ?? ''] : []))
  const isRunning = RUNNING.has(verb)
  const given = isRunning
    ? [...rest.map((word) => (word.startsWith('-') ? valueIn(word) : word)), rest.join(' ')]
    : []
  return {
    scripts: [...set.map(valueIn), ...named, ...given].filter((script) => script !== ''),
    commands: isRunning ? rest.slice(0, MAX_WORDS).map((_, at) => rest.slice(at)) : [],
  }
}

/** What is behind the sign, or behind the letter of an option; an alias that is a script begins with `!`. */
function valueIn(word: string): string {
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : word.slice(2)
  return value.replace(/^!/, '')
}

/**
 * Whether a call of git may run any of its subcommands: its first word may be an alias or a program of that name, or it sets what git
 * starts.
 */
export function isUnclearGit(args: readonly string[]): boolean {
  const [verb, ...rest] = fromVerb(args)
  const options = beforeVerb(args)
  if (verb === undefined) return options.length === 0 || !options.every((word) => ABOUT_ITSELF.test(word))
  if (!VERBS.has(verb) || options.some((word, at) => setsMore(word, options[at + 1] ?? ''))) return true
  return verb === 'clone' && rest.some((word) => /^(?:-c|--config)/.test(word))
}

function setsMore(option: string, next: string): boolean {
  if (/^--(?:config-env|exec-path)/.test(option)) return true
  const [key = ''] = next.split('=')
  return option === '-c' && !HARMLESS.test(key)
}

/** Whether a line may set a variable by which git starts something; `declares`: it has a command that sets the variables it names. */
export function setsGit(line: string, declares: boolean): boolean {
  return ASSIGNED.test(line) || (declares && VARIABLE.test(line))
}
