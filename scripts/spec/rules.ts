/** One line of a SPEC.md: `- **RW-3** Un-rewind restores exactly what the rewind hid.` */
export interface Rule {
  readonly id: string
  readonly line: number
}

const rule = /^[-*] \*\*([A-Z]{2}-\d+)\*\*/

/** A rule id at the start of a title, several separated by spaces: `RE-1 RE-3 a chunk …`. */
const leading = /^((?:[A-Z]{2}-\d+ )+)\S/

/** The rules of a SPEC.md's text, in its order. */
export function parseRules(text: string): Rule[] {
  return text.split('\n').flatMap((content, index) => {
    const id = rule.exec(content)?.[1]
    return id === undefined ? [] : [{ id, line: index + 1 }]
  })
}

/** The rule ids that a test's title starts with; none when it starts otherwise. */
export function leadingIds(title: string): string[] {
  return leading.exec(title)?.[1]?.trim().split(' ') ?? []
}
