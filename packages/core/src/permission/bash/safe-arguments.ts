/** What an option's value, or an argument that is no option, has to look like. */
const KINDS = {
  count: /^\d{1,9}$/,
  /** A name, or words of one; no path. */
  text: /^[\p{L}\p{N}_][\p{L}\p{N}_ .,:-]*$/u,
  /** Any text, where the program takes it for nothing but text. */
  any: /^/,
  /** A path that does not leave the folder. Without a colon and `=` it is no address and sets nothing. */
  path: /^(?!.*(?:^|\/)\.\.(?:\/|$))[\p{L}\p{N}_.][\p{L}\p{N}_./@+,-]*$/u,
  /** The same with a place in the file: `a.py::test_b`, `a.ts:12`. */
  test: /^(?!.*(?:^|\/)\.\.(?:\/|$))[\p{L}\p{N}_.][\p{L}\p{N}_./@+,-]*(?:::?[\p{L}\p{N}_]+)*$/u,
  /** A remote by its usual name: any other could be a folder, which git takes for an address. */
  remote: /^(?:origin|upstream)$/,
  /** A branch: no `source:target`, no `+force`. */
  ref: /^(?!.*\.\.)[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u,
  /** A Go package of the folder; without `./` it would be downloaded. */
  goPackage: /^\.(?:\/(?!\.\.(?:\/|$))[\p{L}\p{N}_.-]*)*$/u,
} as const

type Kind = keyof typeof KINDS

/** The arguments of one program and verb that start no other program and name no file outside of the folder. */
export type SafeArguments = {
  /** Options without a value. */
  flags: ReadonlySet<string>
  /** Options with a value, in the next word or after `=`. */
  values: ReadonlyMap<string, Kind>
  /** What the first argument that is no option has to be, and the others; null where none is safe. */
  operands: readonly [first: Kind, others: Kind] | null
}

function safe(
  flags: string,
  values: Readonly<Record<string, Kind>>,
  others: Kind | null,
  first: Kind | null = others,
): SafeArguments {
  return {
    flags: new Set(flags.split(' ').filter((flag) => flag !== '')),
    values: new Map(Object.entries(values)),
    operands: first === null || others === null ? null : [first, others],
  }
}

const TEXTS = (options: string) =>
  Object.fromEntries(options.split(' ').map((option) => [option, 'text'] as const))
const COUNTS = (options: string) =>
  Object.fromEntries(options.split(' ').map((option) => [option, 'count'] as const))

/** What test runners and checkers of JavaScript have in common: a person's script may hand it to any of them. */
const SCRIPT = safe(
  '-- --run --ci --bail --verbose --silent --color --no-color --watch --no-watch --watch=false --watchAll=false --passWithNoTests --runInBand',
  { ...TEXTS('-t --testNamePattern --test-name-pattern'), ...COUNTS('--retry --maxWorkers') },
  'test',
)
const PYTEST = safe(
  '-v -vv -q -x -s -l --lf --ff --last-failed --failed-first --exitfirst --tb=short --tb=long --tb=line --tb=no --no-header',
  { ...TEXTS('-k -m'), ...COUNTS('--maxfail --durations') },
  'test',
)
const MAKE = safe(
  '-k -s -n -B -w -j --keep-going --silent --quiet --dry-run --always-make --no-print-directory',
  COUNTS('-j --jobs'),
  null,
)
const CARGO_FLAGS =
  '-q -v --quiet --verbose --release -r --workspace --all --lib --bins --tests --examples --benches --all-targets --all-features --no-default-features --locked --offline --frozen --keep-going'
const CARGO_VALUES = { ...TEXTS('-p --package --bin --test --example --exclude'), ...COUNTS('-j --jobs') }
const CARGO = safe(CARGO_FLAGS, CARGO_VALUES, null)
const CARGO_TEST = safe(
  `-- ${CARGO_FLAGS} --no-fail-fast --no-run --doc --nocapture --exact --ignored --include-ignored`,
  { ...CARGO_VALUES, '--test-threads': 'count' },
  'text',
)
const GO_TEST = safe(
  '-v -race -short -cover -failfast -benchmem -json',
  { ...TEXTS('-run -skip -bench -timeout -tags'), ...COUNTS('-count -parallel -p') },
  'goPackage',
)
const GO = safe('-v -race -trimpath', { ...TEXTS('-tags'), ...COUNTS('-p') }, 'goPackage')
const LINT = safe('--quiet --color --no-color --check -c -l --list-different', {}, 'path')
const ESLINT = safe('--quiet --color --no-color', COUNTS('--max-warnings'), 'path')

const GIT_FETCH = safe(
  '--all --prune -p --tags -t --no-tags -q --quiet -v --verbose --dry-run --unshallow --progress --no-progress',
  COUNTS('--depth --deepen -j --jobs'),
  'ref',
  'remote',
)
const GIT_PULL = safe(
  '--ff-only --ff --no-ff --rebase -r --no-rebase --autostash --no-edit --prune -p --tags -q --quiet -v --verbose',
  {},
  'ref',
  'remote',
)
const GIT_ADD = safe('-- -A --all -u --update -v --verbose -n --dry-run -N --intent-to-add', {}, 'path')
const GIT_COMMIT = safe(
  '-- -a --all -q --quiet -v --verbose --amend --no-edit --allow-empty -s --signoff --dry-run',
  { '-m': 'any', '-am': 'any', '--message': 'any' },
  'path',
)
const GIT_GREP = safe(
  '-- -n -i -w -l -L -c -E -F -G -v -h -H -I --cached --count --line-number --ignore-case --word-regexp --files-with-matches --heading --break',
  { '-e': 'any', ...COUNTS('-A -B -C --max-depth') },
  'path',
)

/** A script whose name says that it checks or builds: a wide rule for one of any name could deploy. */
const SCRIPT_NAME = /^(?:test|tests|lint|check|typecheck|type-check|build|format|fmt)(?:[:.-][\w:.-]*)?$/
const TARGET = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u

/** Words that a wide rule names itself, and what else may be there. A pattern is for a word of the person's own. */
const TABLE: readonly (readonly [readonly (string | RegExp)[], SafeArguments])[] = [
  ...['npm', 'pnpm', 'yarn', 'bun'].flatMap((name) => [
    [[name, 'test'], SCRIPT] as const,
    [[name, 'run', SCRIPT_NAME], SCRIPT] as const,
  ]),
  [['npx', 'vitest', 'run'], SCRIPT],
  [['npx', 'jest'], SCRIPT],
  [['npx', 'playwright', 'test'], SCRIPT],
  [['npx', 'eslint'], ESLINT],
  [['eslint'], ESLINT],
  [['npx', 'prettier', '--check'], LINT],
  [['prettier', '--check'], LINT],
  [['pytest'], PYTEST],
  [['python', '-m', 'pytest'], PYTEST],
  [['python3', '-m', 'pytest'], PYTEST],
  [['uv', 'run', 'pytest'], PYTEST],
  [['poetry', 'run', 'pytest'], PYTEST],
  [['make', TARGET], MAKE],
  [['cargo', 'test'], CARGO_TEST],
  [['cargo', 'build'], CARGO],
  [['cargo', 'check'], CARGO],
  [['cargo', 'clippy'], CARGO],
  [['go', 'test'], GO_TEST],
  [['go', 'build'], GO],
  [['go', 'vet'], GO],
  [['git', 'fetch'], GIT_FETCH],
  [['git', 'pull'], GIT_PULL],
  [['git', 'add'], GIT_ADD],
  [['git', 'commit'], GIT_COMMIT],
  [['git', 'grep'], GIT_GREP],
]

/** The program and verb that a command begins with, and its safe arguments; null for one without a list. */
export function safeArgumentsOf(
  words: readonly string[],
): { named: readonly string[]; safe: SafeArguments } | null {
  const found = TABLE.find(([named]) =>
    named.every((name, at) => {
      const word = words[at]
      return word !== undefined && (typeof name === 'string' ? name === word : name.test(word))
    }),
  )
  return found === undefined ? null : { named: words.slice(0, found[0].length), safe: found[1] }
}

/** Whether each of the arguments is on the list. */
export function areSafe(args: readonly string[], safe: SafeArguments): boolean {
  let at = 0
  let operands = 0
  while (at < args.length) {
    const taken = safeFrom(args, at, safe, operands)
    if (taken === 0) return false
    if (!args[at]?.startsWith('-')) operands += 1
    at += taken
  }
  return true
}

/** The paths among safe arguments, without what follows of a place in a file or of packages. */
export function pathsAmong(args: readonly string[], safe: SafeArguments): string[] {
  const paths: string[] = []
  let operands = 0
  for (let at = 0; at < args.length; at += safeFrom(args, at, safe, operands) || 1) {
    const arg = args[at] ?? ''
    if (arg.startsWith('-')) continue
    const kind = safe.operands?.[operands === 0 ? 0 : 1]
    if (kind === 'path' || kind === 'test' || kind === 'goPackage')
      paths.push(arg.replace(/:.*$|\.{3}$/s, ''))
    operands += 1
  }
  return paths
}

/** How many words a safe argument that begins here, after so many operands, takes; 0 where it is not safe. */
function safeFrom(
  args: readonly string[],
  at: number,
  { flags, values, operands }: SafeArguments,
  before: number,
): number {
  const arg = args[at] ?? ''
  if (!arg.startsWith('-'))
    return operands !== null && KINDS[operands[before === 0 ? 0 : 1]].test(arg) ? 1 : 0
  if (flags.has(arg) || isAttached(arg, values)) return 1
  const [option = '', ...rest] = arg.split('=')
  const kind = values.get(option)
  const value = rest.length > 0 ? rest.join('=') : args[at + 1]
  if (kind === undefined || value === undefined || !KINDS[kind].test(value)) return 0
  return rest.length > 0 ? 1 : 2
}

/** A letter with a number in its word: `-j4`. */
function isAttached(arg: string, values: SafeArguments['values']): boolean {
  return values.get(arg.slice(0, 2)) === 'count' && KINDS.count.test(arg.slice(2))
}
