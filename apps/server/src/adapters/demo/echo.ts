const MAX_LENGTH = 90

/** The user's text, shortened and escaped for use inside a sentence of markdown. */
export function echo(said: string): string {
  const line = said.replace(/\s+/g, ' ').trim()
  const short = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).replace(/\s\S*$/, '')} …` : line
  return short.replace(/[\\`*_[\]<>#|$~]/g, '\\$&')
}

/** The person's words in quotation marks, at the end of a sentence that they may close themselves. */
export function quote(said: string): string {
  const words = echo(said)
  return /[.!?…]$/.test(words) ? `“${words}”` : `“${words}”.`
}
