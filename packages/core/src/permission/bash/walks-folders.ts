import type { PlainWord } from './plain-line.ts'

/** Commands that read all below a folder, whatever their options. */
const ALWAYS = new Set(['find', 'rg', 'tree', 'du', 'fd'])

/** Options with which others do: a letter among several counts wherever it is, since a value taken for one only asks more often. */
const OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['grep', /^-(?!-).*[rRd]|^--(?:dereference-)?recursive|^--directories/],
  ['egrep', /^-(?!-).*[rRd]|^--(?:dereference-)?recursive|^--directories/],
  ['fgrep', /^-(?!-).*[rRd]|^--(?:dereference-)?recursive|^--directories/],
  ['ls', /^-(?!-).*R|^--recursive/],
  ['diff', /^-(?!-).*r|^--recursive/],
  // These of git look beyond the files that it tracks.
  ['git', /^-(?!-).*o|^--(?:untracked|others|no-index|ignored)/],
])

/** Whether a command reads all that is below a folder, also where it names none. */
export function walksFolders([first, ...args]: readonly PlainWord[]): boolean {
  const name = first?.text ?? ''
  return ALWAYS.has(name) || args.some(({ text }) => OPTIONS.get(name)?.test(text) === true)
}
