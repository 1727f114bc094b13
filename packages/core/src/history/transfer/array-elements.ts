/** What a JSON text is made of, but for letters and space: an escape, or a sign. */
const MARK = /\\.|["[\]{},]/gs

const STEPS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/**
 * The elements of a JSON array that comes in pieces, as text, each with the number of the line that it begins on.
 * `checkLength` is called with the length of what has come of an element, and throws when that is too much.
 */
export async function* arrayElements(
  pieces: AsyncIterable<string>,
  checkLength: (length: number, line: number) => void,
): AsyncGenerator<{ text: string; number: number }> {
  const place = createPlace()
  let element = ''
  let line = 1

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
      const passed = place.pass(mark)
      if (passed === 'inside') continue
      const taken = take(text.slice(from, index))
      if (passed === 'end') yield taken
      from = read
    }
    // An escape that was cut is read with what comes next.
    held = text.endsWith('\\') && read < text.length ? '\\' : ''
    element += text.slice(from, text.length - held.length)
    checkLength(element.length, line)
  }
  yield take(held)
}

/** Says of each mark whether the array begins with it or one of its elements ends. */
function createPlace() {
  let depth = 0
  let inString = false

  function pass(mark: string): 'begin' | 'end' | 'inside' {
    if (mark === '"') inString = !inString
    if (inString) return 'inside'
    const step = STEPS[mark] ?? 0
    depth += step
    if (step > 0 && depth === 1) return 'begin'
    const ends = step < 0 ? depth === 0 : mark === ',' && depth === 1
    return ends ? 'end' : 'inside'
  }
  return { pass }
}

function lineEnds(text: string): number {
  return text.split('\n').length - 1
}
