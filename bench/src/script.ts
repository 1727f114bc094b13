/** The answer that a prompt requests from the scripted provider. */
export type Script = {
  /** Deltas of text. */
  deltas: number
  /** Words of one delta; 1 by default. */
  words?: number
  /** Real milliseconds between deltas; absent: as fast as they are read. */
  everyMs?: number
  /** Each delta carries the time it was sent at; see `stamp`. */
  stamped?: true
  /** The reply is the size of the request's system prompt and tool definitions in bytes; no deltas. */
  weighs?: true
  /** After the last delta the reply stays open until the caller hangs up. */
  open?: true
}

const MARK = 'bench:'

/** Text of a delta without a time. */
export const PLAIN_DELTA = 'word '

/** The script as the text of a user message. */
export function toPrompt(script: Script): string {
  return MARK + JSON.stringify(script)
}

/** The script of a message's text; null when it holds none. */
export function fromPrompt(text: string): Script | null {
  // Only `toPrompt` writes such texts.
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Script) : null
}

/** The time as a delta's text. */
export function stamp(): string {
  return `${now().toFixed(2)} `
}

/**
 * Milliseconds with their fractions of the machine's monotonic clock, which its processes share. `performance.timeOrigin` is each
 * process's reading of the wall clock when it started: where that was adjusted in between, their times are apart.
 */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
