import { outputText } from './output-text.ts'

/** Characters above which an output is trimmed rather than replaced, and what then stays of its head and its tail. */
const SOFT_TRIM_ABOVE = 50_000
const KEPT_CHARACTERS = 1_500
const CHARACTERS_PER_TOKEN = 4

/** How the model sees an output: its condensed form, if it has one, and a stub once it is pruned. */
export type OutputVisibility = { condensed: string | null; pruned: boolean }

/** What the model sees of an output; the same bytes each time, so that a provider's cache holds. */
export function modelOutput(output: unknown, { condensed, pruned }: OutputVisibility): unknown {
  if (pruned) return prunedOutput(output, condensed !== null)
  return condensed === null ? output : condensedOutput(output, condensed)
}

/** Characters that the model's form of an output saves; negative when that form is longer than the output. */
export function savedCharacters(output: unknown, as: OutputVisibility): number {
  return outputText(output).length - outputText(modelOutput(output, as)).length
}

type OutputText = { type: 'output'; text: string }

/** A condensed form, which says of itself that it is one. */
export function condensedOutput(output: unknown, condensed: string): OutputText {
  return {
    type: 'output',
    text: `<output condensed, ${tokensIn(outputText(output))} tokens>\n\n${condensed}`,
  }
}

/** The head and tail of a very large output that has no condensed form, or the stub that replaces any other output. */
function prunedOutput(output: unknown, hasCondensed: boolean): OutputText {
  const text = outputText(output)
  if (hasCondensed || text.length <= SOFT_TRIM_ABOVE)
    return { type: 'output', text: `<output pruned, ${tokensIn(text)} tokens>` }
  const left = text.length - 2 * KEPT_CHARACTERS
  const notice = `\n\n<${left} characters pruned>\n\n`
  return { type: 'output', text: `${text.slice(0, KEPT_CHARACTERS)}${notice}${text.slice(-KEPT_CHARACTERS)}` }
}

function tokensIn(text: string): number {
  return Math.round(text.length / CHARACTERS_PER_TOKEN)
}
