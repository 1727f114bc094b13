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
