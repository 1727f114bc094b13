const MAX_WORDS = 8
/** For scripts that put no spaces between words. */
const MAX_CHARACTERS = 60

/** Politeness before the matter, and words that a title does not end with. */
const OPENINGS = /^(please|can you|could you|would you|will you|tell me|i would like to|i want to)\s+/i
const LOOSE_END = /\s+(a|an|the|and|or|of|to|in|on|at|for|with|is|are|your|my|its)$/i

/** True when the instructions ask for a conversation's title rather than for a reply. */
export function wantsTitle(instructions: string, tools: number): boolean {
  return tools === 0 && /\btitle\b/i.test(instructions)
}

/** A title of at most eight words: the beginning of what the person said, as they said it. */
export function titleFor(said: string): string {
  const [clause = ''] = without(OPENINGS, said.trim()).split(/[\n:;.!?…]+(?:\s|$)/, 1)
  const words = clause.trim().split(/\s+/).slice(0, MAX_WORDS).join(' ')
  const start = Array.from(words).slice(0, MAX_CHARACTERS).join('')
  const title = without(LOOSE_END, start).replace(/[\s,–—-]+$/, '')
  if (!/[\p{L}\p{N}]/u.test(title)) return 'A chat without words'
  return title.charAt(0).toUpperCase() + title.slice(1)
}

/** The text without what the pattern matches, as often as it does. */
function without(pattern: RegExp, text: string): string {
  const rest = text.replace(pattern, '')
  return rest === text ? text : without(pattern, rest)
}
