import { type CommandRule, type Reading, readArguments } from './options.ts'
import type { PlainWord } from './plain-line.ts'

const DIFF =
  'stat? shortstat numstat name-only name-status summary patch no-patch raw minimal patience histogram ' +
  'diff-algorithm= unified= color? no-color color-words? word-diff? find-renames? find-copies? no-renames ' +
  'diff-filter= function-context ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines ' +
  'full-index binary abbrev? relative? no-prefix check exit-code quiet cached staged merge-base no-ext-diff no-textconv ' +
  'text inter-hunk-context= dirstat? compact-summary ita-invisible-in-index pickaxe-regex pickaxe-all ignore-submodules? ' +
  'patch-with-stat patch-with-raw stat-width= stat-name-width= stat-count= combined-all-paths cc'
const LOG =
  'oneline graph decorate? no-decorate format= pretty? abbrev-commit no-abbrev-commit all branches? tags? remotes? ' +
  'author= committer= grep= invert-grep all-match since= after= until= before= max-count= skip= merges no-merges ' +
  'first-parent reverse follow date= date-order author-date-order topo-order left-right cherry-pick cherry-mark ' +
  'no-walk boundary parents children walk-reflogs extended-regexp fixed-strings regexp-ignore-case source notes? ' +
  'no-notes full-history simplify-merges simplify-by-decoration ancestry-path relative-date mailmap no-mailmap not cherry ' +
  'left-only right-only min-parents= max-parents= exclude= glob= show-pulls perl-regexp encoding= decorate-refs= sparse dense'

/** Operands are names of revisions as well as paths; git itself finds the paths inside its work tree. */
const DIFFING = { short: 'puswbaRWrzM', valued: 'USGl', digits: true } as const

/**
 * Subcommands of git that only read, with the options that keep them so. Left out are those that write a file, start a program
 * or read another repository: `--output`, `--ext-diff`, `--textconv`, `--no-index`, `-O`, `--open-files-in-pager`.
 */
const SUBCOMMANDS: ReadonlyMap<string, CommandRule> = new Map<string, CommandRule>([
  [
    'status',
    {
      // `-uno`, `-unormal` and `-uall` are among them.
      short: 'sbvzunoralm',
      long: 'short branch porcelain? long verbose untracked-files? ignored? ignore-submodules? show-stash ahead-behind no-ahead-behind no-renames column?',
      operands: 'paths',
    },
  ],
  ['diff', { ...DIFFING, long: DIFF, operands: 'paths' }],
  ['diff-tree', { ...DIFFING, short: 'puswbaRWrztcm', long: `${DIFF} root no-commit-id`, operands: 'paths' }],
  [
    'log',
    { ...DIFFING, short: 'puswbaRWrzMicgEFPm', valued: 'USGlnL', long: `${DIFF} ${LOG}`, operands: 'paths' },
  ],
  ['show', { ...DIFFING, short: 'puswbaRWrzMcm', valued: 'USGl', long: `${DIFF} ${LOG}`, operands: 'paths' }],
  ['diff-index', { ...DIFFING, short: 'puswbaRWrzmc', long: DIFF, operands: 'paths' }],
  ['diff-files', { ...DIFFING, long: DIFF, operands: 'paths' }],
  ['whatchanged', { ...DIFFING, valued: 'USGln', long: `${DIFF} ${LOG}`, operands: 'paths' }],
  ['shortlog', { short: 'nsec', valued: '', long: `numbered summary email ${LOG}`, operands: 'paths' }],
  ['rev-list', { valued: 'n', digits: true, long: `count objects ${LOG}`, operands: 'paths' }],
  ['cherry', { short: 'v', operands: 'paths' }],
  ['range-diff', { ...DIFFING, long: DIFF, operands: 'paths' }],
  [
    'rev-parse',
    {
      short: 'q',
      long: 'verify quiet short? abbrev-ref? symbolic-full-name show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir is-inside-work-tree is-bare-repository is-inside-git-dir is-shallow-repository all branches? tags? remotes?',
      operands: 'paths',
    },
  ],
  [
    'ls-files',
    {
      short: 'cdmoikstuvz',
      valued: 'x',
      long: 'cached deleted modified others ignored stage unmerged exclude-standard exclude= full-name error-unmatch eol deduplicate',
      operands: 'paths',
    },
  ],
  [
    'ls-tree',
    { short: 'drtlz', long: 'name-only name-status full-name full-tree long abbrev?', operands: 'paths' },
  ],
  ['cat-file', { short: 'tspe', operands: 'paths', most: 2 }],
  [
    'blame',
    {
      short: 'wblstefnceMC',
      valued: 'L',
      long: 'root show-email show-name show-number porcelain line-porcelain date= since= abbrev= ignore-rev=',
      operands: 'paths',
    },
  ],
  [
    'grep',
    {
      short: 'naivwxlLcohHEFPGIqpW',
      valued: 'eABCm',
      digits: true,
      long:
        'line-number ignore-case word-regexp extended-regexp fixed-strings perl-regexp basic-regexp files-with-matches ' +
        'files-without-match count only-matching column heading break show-function function-context untracked cached ' +
        'and or not all-match quiet max-depth= context= after-context= before-context= max-count= name-only color? no-color',
      operands: 'pattern',
    },
  ],
  [
    'describe',
    {
      long: 'tags all long always abbrev= match= exclude= exact-match contains first-parent',
      operands: 'paths',
    },
  ],
  ['merge-base', { short: 'a', long: 'all is-ancestor fork-point octopus independent', operands: 'paths' }],
  ['name-rev', { long: 'name-only tags refs= always', operands: 'paths' }],
  [
    'show-ref',
    {
      short: 'dsq',
      long: 'heads branches tags verify hash? abbrev? head dereference quiet',
      operands: 'paths',
    },
  ],
  [
    'for-each-ref',
    { long: 'format= sort= count= points-at= merged= no-merged= contains= no-contains=', operands: 'paths' },
  ],
  ['count-objects', { short: 'vH', operands: 'none' }],
  ['check-ignore', { short: 'vqn', operands: 'paths' }],
  [
    'branch',
    {
      short: 'arvql',
      long:
        'all remotes verbose list show-current contains merged no-merged no-contains points-at= sort= format= color? ' +
        'no-color column?',
      operands: 'paths',
    },
  ],
  [
    'tag',
    {
      short: 'ln0123456789',
      long: 'list sort= format= contains points-at= merged no-merged column?',
      operands: 'paths',
    },
  ],
  ['show-branch', { short: 'ar', long: 'all remotes current sha1-name topo-order', operands: 'paths' }],
  ['symbolic-ref', { short: 'q', long: 'quiet short', operands: 'paths', most: 1 }],
  ['check-attr', { short: 'az', long: 'all cached', operands: 'paths' }],
  ['version', { operands: 'none' }],
])

/** The same for subcommands of subcommands. */
const NESTED: ReadonlyMap<string, CommandRule> = new Map<string, CommandRule>([
  ['stash list', { ...DIFFING, valued: 'USGln', long: `${DIFF} ${LOG}`, operands: 'none' }],
  [
    'stash show',
    { ...DIFFING, long: `${DIFF} include-untracked only-untracked`, operands: 'paths', most: 1 },
  ],
  ['reflog show', { ...DIFFING, valued: 'USGln', long: `${DIFF} ${LOG}`, operands: 'paths', most: 1 }],
  // Without `show` a name may be that of another subcommand.
  ['reflog', { ...DIFFING, valued: 'USGln', long: `${DIFF} ${LOG}`, operands: 'none' }],
  ['remote get-url', { long: 'all push', operands: 'texts', most: 1 }],
])

/** With these options a name is a pattern or a revision; without them the subcommand would create what it names. */
const LISTING: ReadonlyMap<string, RegExp> = new Map([
  ['branch', /^--(?:list|contains|no-contains|merged|no-merged)$/],
  ['tag', /^(?:-l|--list|--contains|--merged|--no-merged)$/],
])

/** Whole arguments of subcommands that have others which change something. */
const FIXED: readonly string[] = [
  'remote',
  'remote -v',
  'remote --verbose',
  'remote show',
  'worktree list',
  'worktree list --porcelain',
  'sparse-checkout list',
  'notes',
  'notes list',
  'help',
  '--version',
]

/** What a format or a sort has of a signature: to check one git starts a program. */
const SIGNATURE = /%[-+ ]?G|%\(\*?signature|^(?:--sort=)?-?\*?signature/

/** Why git with these arguments may do more than read; null when it only reads. */
export function readGit(words: readonly PlainWord[]): Reading {
  const [first, ...after] = words
  if (first?.text === '--no-pager' || first?.text === '-P') return readGit(after)
  const all = words.map(({ text }) => text).join(' ')
  if (FIXED.includes(all) && words.every(({ glob }) => glob === null)) return { paths: [] }
  const signs = words.find(({ text }) => SIGNATURE.test(text))
  if (signs !== undefined) return { refused: signs.text }
  const name = first?.text ?? ''
  if (name === 'config') return readConfig(after)
  const nested = `${name} ${after[0]?.text ?? ''}`
  const isNested = NESTED.has(nested)
  const rule = NESTED.get(isNested ? nested : name) ?? SUBCOMMANDS.get(name)
  if (rule === undefined) return { refused: nested.trim() }
  // Git takes an option behind operands too, and its value as that, on every system.
  const found = readArguments({ ...rule, texts: 'all' }, isNested ? after.slice(1) : after)
  if ('refused' in found) return found
  const [created] = found.operands
  const listing = LISTING.get(name)
  if (created !== undefined && listing !== undefined && !found.options.some((option) => listing.test(option)))
    return { refused: created.word.text }
  return found.read
}

const CONFIG_LISTS = /^(?:-l|--list|list)$/
const CONFIG_READS = /^(?:--get|--get-all|--get-regexp|get)$/
const CONFIG_OPTION =
  /^(?:--(?:global|local|system|worktree|show-origin|show-scope|name-only|null|all|includes|no-includes)|-z)$/
/** The name of a setting has a dot; a word without one may be a subcommand. */
const CONFIG_NAME = /^[A-Za-z][\w-]*\..+$/

/** Reads one setting, or all; with a second word git would change the setting. */
function readConfig(words: readonly PlainWord[]): Reading {
  const wild = words.find(({ glob }) => glob !== null)
  if (wild !== undefined) return { refused: wild.text }
  const texts = words.map(({ text }) => text).filter((text) => !CONFIG_OPTION.test(text))
  const [verb = '', key = ''] = texts
  const reads =
    (texts.length === 1 && (CONFIG_LISTS.test(verb) || CONFIG_NAME.test(verb))) ||
    (texts.length === 2 && CONFIG_READS.test(verb) && /^[^-]/.test(key))
  return reads ? { paths: [] } : { refused: 'config' }
}
