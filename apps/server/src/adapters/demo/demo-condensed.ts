const KEPT_LINES = 5
const LINE_CHARACTERS = 200

/** True when the instructions ask for an output to be condensed, which then takes the place of the user's text. */
export function wantsCondensed(instructions: string, said: string, tools: number): boolean {
  return tools === 0 && /\bcondense\b/i.test(instructions) && /^<call>\n/.test(said)
}

/** The first lines of the output, and how many more there are. */
export function condensedOf(said: string): string {
  const [, output = ''] = /<output>\n([\s\S]*)\n<\/output>/.exec(said) ?? []
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const kept = lines.slice(0, KEPT_LINES).map((line) => line.slice(0, LINE_CHARACTERS))
  const more = lines.length - kept.length
  return [...kept, `… ${more} more lines. ${HONESTY}`].join('\n')
}

const HONESTY =
  'A real model would have kept what matters of them; I am the demo model and only kept the beginning.'
