/** No tool's name has this in it: no API takes it in the name of a function. */
const MARK = 'hosted\u0000'

/**
 * The name of a tool that a provider executes itself, as the AI SDK gets it. The SDK finds tools by name: under its own
 * name a hosted `web_fetch` would be checked, titled and lowered by our tool of that name.
 */
export function markHosted(name: string): string {
  return `${MARK}${name}`
}

/** The name without its mark. */
export function unmarkHosted(name: string): string {
  return name.startsWith(MARK) ? name.slice(MARK.length) : name
}
