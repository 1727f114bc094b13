/** What a JSON text is made of, but for letters and space: an escape, or a sign. */
const MARK = /\\.|["[\]{},]/gs

const STEPS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/**
 * The elements of a JSON array that comes in pieces, as text, each with the number of the line that it begins on, where
 * the first piece begins on line `first`. Text before or behind the array is an element too, and so is an empty one before a comma.
 * `checkLength` is called with the length of what has come of an element, and throws when that is too much.
 */
export async function* arrayElements(
  pieces: AsyncIterable<string>,
  checkLength: (length: number, line: number) => void,
  first = 1,
): AsyncGenerator<{ text: string; number: number }> {
  const place = createPlace()
  let element = ''
  let line = first

  function take(end: string) {
    const text = element + end
    checkLength(text.length, line)
    const begin = text.length - text.trimStart().length
    const number = line + lineEnds(text.slice(0, begin))
    line += lineEnds(text)
    element = ''
    return { text, number }
  }

  let held = ''
  for await (const piece of pieces) {
    const text = held + piece
    let from = 0
    let read = 0
    for (const { 0: mark, index } of text.matchAll(MARK)) {
      read = index + mark.length
      if (place.isInside(mark)) continue
      const taken = take(text.slice(from, index))
      if (mark === ',' || taken.text.trim() !== '') yield taken
      from = read
    }
    // An escape that was cut is read with what comes next.
    held = text.endsWith('\\') && read < text.length ? '\\' : ''
    element += text.slice(from, text.length - held.length)
    checkLength(element.length, line)
  }
  const last = take(held)
  if (last.text.trim() !== '') yield last
}

/** Says of each mark whether it belongs to an element; the others begin the array, or end an element. */
function createPlace() {
  let depth = 0
  let inString = false

  function isInside(mark: string): boolean {
    if (mark === '"') inString = !inString
    if (inString) return true
    const step = STEPS[mark] ?? 0
    depth += step
    if (step > 0) return depth !== 1
    return step < 0 ? depth !== 0 : mark !== ',' || depth !== 1
  }
  return { isInside }
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1
}
