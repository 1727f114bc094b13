import { type Command, forEachChild, type SyntaxNode } from 'unbash'
import { printedBy } from './printed-words.ts'
import type { SeenCommand } from './seen-command.ts'

/** The commands of a part of a line, as they are written. */
export function commandsIn(node: SyntaxNode): SeenCommand[] {
  const found: SeenCommand[] = []
  eachBelow(node, (one) => {
    const command = one.type === 'Command' ? toSeen(one) : null
    if (command !== null) found.push(command)
  })
  return found
}

/** The texts that a part of a line prints, as far as it shows them: by printers, and as here documents and strings. */
export function printedIn(node: SyntaxNode): string[] {
  const found: string[] = []
  eachBelow(node, (one) => {
    if (one.type === 'HereDoc') found.push(one.body.text)
    else if (one.type === 'HereString') found.push(one.target?.value ?? '')
    else if (one.type === 'Command') found.push(...printedBy(toSeen(one)))
  })
  return found.filter((text) => text.trim() !== '')
}

/** Nodes that one look into a part of a line takes. */
const MAX_NODES = 500

function eachBelow(node: SyntaxNode, act: (one: SyntaxNode) => void): void {
  const open = [node]
  for (let at = 0; at < open.length && at < MAX_NODES; at += 1) {
    const one = open[at]
    if (one === undefined) return
    act(one)
    forEachChild(one, (child) => {
      open.push(child)
    })
  }
}

/** The name of a command without its folder, and the words behind it; null where it only sets variables. */
export function toSeen({ name, args }: Command): SeenCommand | null {
  if (name === undefined) return null
  const values = args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))
  return { name: programOf(name.value), args: values }
}

/** The name of a program without its folder. */
export function programOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
