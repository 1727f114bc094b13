/** Sequences that a terminal would obey: colours, cursor moves, titles, and links. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is left out
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[PX^_][^\u001B]*(?:\u001B\\)?|[ -/]*[0-~])/g
/** Controls without a meaning in a text, and characters that change its direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is left out
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g

/** The output of a command as a text: without terminal sequences, and of a line that was written over only the last state. */
export function plainOutput(text: string): string {
  return (
    text
      .replace(SEQUENCES, '')
      .replace(CONTROLS, '')
      // Each begins at one place of a line, so that a long line takes no time with its square.
      .replace(/(?<!\r)\r+(?=\n|$)/g, '')
      .replace(/(?<![^\n])[^\n]*\r/g, '')
  )
}
