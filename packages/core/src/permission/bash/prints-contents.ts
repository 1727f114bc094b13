import { fromVerb } from './git-words.ts'

/** Subcommands of git that print names, messages and numbers, but no content of a file, with each option that they may have. */
const NEVER: ReadonlySet<string> = new Set(
  'branch check-attr check-ignore cherry config count-objects describe fetch for-each-ref help ls-files ls-tree merge-base mv name-rev pull push remote rev-list rev-parse rm shortlog show-branch show-ref sparse-checkout symbolic-ref tag version worktree'.split(
    ' ',
  ),
)

/** Those that print contents with `-v` or `-p` only. */
const WITH_OPTION: ReadonlySet<string> = new Set(
  'add checkout cherry-pick clean clone commit init merge rebase reset restore revert status switch'.split(
    ' ',
  ),
)

/** Options with which the differences of commits and files are named or counted. */
const COUNTED = /^--(?:stat|shortstat|numstat|name-only|name-status)$/
/** Options of `diff` that choose what is compared. */
const COMPARED = /^(?:--|--cached|--staged|--merge-base|--exit-code)$/
/** Options of `log` that choose commits, or what of a commit but its content is printed. */
const LOGGED =
  /^(?:--|-\d+|-n\d*|--(?:oneline|graph|decorate|all|branches|tags|remotes|merges|no-merges|first-parent|reverse|follow|no-patch|abbrev-commit|date-order|topo-order|left-right|(?:max-count|skip|author|committer|grep|since|after|until|before|format|pretty|date|decorate)=.*))$/s

/** Whether git with these arguments may print what files hold; their names and numbers of lines are none of it. */
export function printsContents(args: readonly string[]): boolean {
  const [verb = '', ...rest] = fromVerb(args)
  const options = rest.filter((word) => word.startsWith('-'))
  switch (verb) {
    // Without one git prints what it can do.
    case '':
      return false
    case 'diff':
      return (
        !options.some(isCounted) || !options.every((option) => isCounted(option) || COMPARED.test(option))
      )
    case 'log':
      return !options.every((option) => isCounted(option) || LOGGED.test(option))
    case 'stash':
    case 'reflog':
      return rest[0] === 'show' || options.length > 0
    default:
      return WITH_OPTION.has(verb)
        ? options.some((option) => /^-(?!-).*[vp]|^--(?:verbose|patch)/s.test(option))
        : !NEVER.has(verb)
  }
}

function isCounted(option: string): boolean {
  return COUNTED.test(option)
}
