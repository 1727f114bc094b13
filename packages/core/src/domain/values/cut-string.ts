/** A text as pieces of at most so many characters, none of which ends inside a surrogate pair. */
export function cutString(text: string, characters: number): string[] {
  if (text.length <= characters) return [text]
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + characters, text.length)
    const splitsPair = end < text.length && text.codePointAt(end - 1) !== text.charCodeAt(end - 1)
    if (splitsPair && end - 1 > start) end -= 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}
