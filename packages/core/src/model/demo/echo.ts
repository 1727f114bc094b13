const MAX_LENGTH = 90

/** The person's words, short and safe to stand inside a sentence of markdown. */
export function echo(said: string): string {
  const line = said.replace(/\s+/g, ' ').trim()
  const short = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).replace(/\s\S*$/, '')} …` : line
  return short.replace(/[\\`*_[\]<>#|$~]/g, '\\$&')
}
