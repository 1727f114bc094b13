/** Characters of a chunk before it is cut at the next possible place: about a paragraph. */
const CHUNK_CHARACTERS = 300

export const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** A line that starts a block of its own, whatever is above the empty line before it. */
const FRESH_LINE = /^(?:#{1,6} |[^\s\-+*>|#\d[`~$:<=_])/
/** Definitions and footnotes reach over the whole text, so it stays in one piece. */
const REACHES_FAR = /^ {0,3}\[[^\]\n]{1,999}\]:/m

/**
 * Cuts markdown where a cut changes nothing: after an empty line outside fences and formulas, before a new paragraph
 * or heading. All chunks but the last stay as they are however long the text grows, so they are not rendered again.
 */
export function splitSettled(text: string): string[] {
  if (text.length <= CHUNK_CHARACTERS || REACHES_FAR.test(text)) return [text]
  const chunks: string[] = []
  let start = 0
  let fence = ''
  let formula = false
  let emptyBefore = false
  let lineStart = 0
  while (lineStart < text.length) {
    const lineEnd = nextLine(text, lineStart)
    const line = text.slice(lineStart, lineEnd)
    if (lineStart - start >= CHUNK_CHARACTERS && emptyBefore && !fence && !formula && FRESH_LINE.test(line)) {
      chunks.push(text.slice(start, lineStart))
      start = lineStart
    }
    fence = fenceAfter(fence, line)
    if (!fence && line.includes('$$') && line.split('$$').length % 2 === 0) formula = !formula
    emptyBefore = line.trim() === ''
    lineStart = lineEnd
  }
  chunks.push(text.slice(start))
  return chunks
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end + 1
}

/** The fence that is open after this line; empty when none is. */
function fenceAfter(open: string, line: string): string {
  const mark = FENCE.exec(line)?.[1]
  if (mark === undefined) return open
  if (open === '') return mark
  return mark.startsWith(open) && line.trim() === mark ? '' : open
}

/** Whether a text ends inside a fence. */
export function openFence(text: string): boolean {
  let fence = ''
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    fence = fenceAfter(fence, text.slice(at, nextLine(text, at)))
  }
  return fence !== ''
}
