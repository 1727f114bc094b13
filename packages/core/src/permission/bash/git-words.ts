/** Options of git before its verb whose value is the next word. */
const VALUED = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env|attr-source|super-prefix))$/

/** The words from the verb of git on: a rule about `git push` is one about `git -C folder push` too. */
export function fromVerb(args: readonly string[]): readonly string[] {
  return args.slice(verbAt(args))
}

/** The words before the verb of git. */
export function beforeVerb(args: readonly string[]): readonly string[] {
  return args.slice(0, verbAt(args))
}

function verbAt(args: readonly string[]): number {
  let at = 0
  while (args[at]?.startsWith('-')) at += VALUED.test(args[at] ?? '') ? 2 : 1
  return at
}

/** The arguments of git where a command starts it, be it as `git-push`; null for any other command. */
export function argumentsOfGit(name: string, args: readonly string[]): readonly string[] | null {
  const program = name.toLowerCase()
  if (program === 'git') return args
  const verb = program.startsWith('git-') ? program.slice('git-'.length) : ''
  return VERBS.has(verb) ? [verb, ...args] : null
}

/** What each git has: an alias of such a name does not count. Without those that start git again by arguments or settings. */
export const VERBS: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout ' +
    'checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential describe ' +
    'diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref ' +
    'format-patch fsck gc grep hash-object help index-pack init init-db interpret-trailers log ls-files ls-remote ls-tree mailinfo ' +
    'mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree mv name-rev notes pack-objects ' +
    'pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase receive-pack reflog remote repack replace ' +
    'request-pull rerere reset restore rev-list rev-parse revert rm send-pack shortlog show show-branch show-index show-ref ' +
    'sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index ' +
    'update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree ' +
    'write-tree'
  ).split(' '),
)
