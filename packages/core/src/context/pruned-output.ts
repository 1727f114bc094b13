import { outputText } from './output-text.ts'

/** Characters above which an output is trimmed rather than replaced, and what then stays of its head and its tail. */
const SOFT_TRIM_ABOVE = 50_000
const KEPT_CHARACTERS = 1_500
const CHARACTERS_PER_TOKEN = 4

/** The stub that stands for an output; the same bytes each time, so that a provider's cache holds. */
export function prunedOutput(output: unknown): { type: 'output'; text: string } {
  const text = outputText(output)
  if (text.length <= SOFT_TRIM_ABOVE)
    return {
      type: 'output',
      text: `<output pruned, ${Math.round(text.length / CHARACTERS_PER_TOKEN)} tokens>`,
    }
  const left = text.length - 2 * KEPT_CHARACTERS
  const notice = `\n\n<${left} characters pruned>\n\n`
  return { type: 'output', text: `${text.slice(0, KEPT_CHARACTERS)}${notice}${text.slice(-KEPT_CHARACTERS)}` }
}

/** Characters that the stub of an output spares; less than nothing for an output shorter than its stub. */
export function sparedCharacters(output: unknown): number {
  return outputText(output).length - prunedOutput(output).text.length
}
