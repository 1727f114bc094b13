const MAX_WORDS = 6
const FILLER = new Set(
  'a an the is are was were am be been please can could would will you me my i to of for in on at and or it its this that do does did show give tell'.split(
    ' ',
  ),
)

/** True when the instructions ask for a conversation's title rather than for a reply. */
export function wantsTitle(instructions: string, tools: number): boolean {
  return tools === 0 && /\btitle\b/i.test(instructions)
}

/** A title of three to six words, made from what the person said. */
export function titleFor(said: string): string {
  const words =
    said.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)?.map((word) => word.replace(/[.'’-]+$/, '')) ?? []
  const telling = words.filter((word) => !FILLER.has(word.toLowerCase()))
  const chosen = (telling.length >= 3 ? telling : words).slice(0, MAX_WORDS)
  if (chosen.length === 0) return 'A chat without words'
  const title = chosen.length >= 3 ? chosen.join(' ') : `A chat about ${chosen.join(' ')}`
  return title.charAt(0).toUpperCase() + title.slice(1)
}
