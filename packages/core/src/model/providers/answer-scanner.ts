import { PROVIDER_LIMITS } from '../../domain/provider-limits.ts'
import { RefusedAnswerError } from '../refused-answer.ts'

const { streamBytes, streamLines, bodyBytes, eventBytes, eventValues, eventNesting } = PROVIDER_LIMITS

/** `stream` is a stream of server-sent events, `body` an answer that comes as one JSON text. */
export type AnswerKind = 'stream' | 'body'

/** Counts what an answer holds, byte by byte. */
export type AnswerScanner = {
  /**
   * Reads the next bytes of the answer, `most` of them at most, and returns how many. Throws a `RefusedAnswerError` once
   * the answer is past a bound.
   */
  scan(bytes: Uint8Array, most: { bytes: number; lines: number }): number
}

const LF = 0x0a
const CR = 0x0d
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

export function createAnswerScanner(kind: AnswerKind): AnswerScanner {
  const isStream = kind === 'stream'
  const maxTotal = isStream ? streamBytes : bodyBytes
  let total = 0
  let totalLines = 0
  /** Of the event that is on its way; an answer that is no stream counts as one event. */
  let event = 0
  let values = 0
  let depth = 0
  let inString = false
  let escaped = false
  let lineIsEmpty = true
  let lastByte = 0

  function endLine() {
    if (isStream && lineIsEmpty) {
      event = 0
      values = 0
      depth = 0
    }
    lineIsEmpty = true
    // No JSON string goes on behind a line's end, and a comment may hold any quotation marks.
    inString = false
    escaped = false
  }

  function readJson(byte: number) {
    if (inString) {
      if (escaped) escaped = false
      else if (byte === BACKSLASH) escaped = true
      else if (byte === QUOTE) inString = false
      return
    }
    if (byte === QUOTE) inString = true
    else if (byte === COMMA) values += 1
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > eventNesting) throw nestedTooDeep()
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
  }

  return {
    scan(bytes, most) {
      const end = Math.min(bytes.length, most.bytes)
      let lines = 0
      let at = 0
      for (; at < end && lines < most.lines; at++) {
        const byte = bytes[at] as number
        event += 1
        if (byte === CR || byte === LF) {
          const endsWithBoth = byte === LF && lastByte === CR
          if (!endsWithBoth) {
            endLine()
            lines += 1
          }
        } else {
          lineIsEmpty = false
          readJson(byte)
        }
        lastByte = byte
      }
      total += at
      totalLines += lines
      if (total > maxTotal) throw tooLarge('an answer', maxTotal)
      if (isStream && event > eventBytes) throw tooLarge('one event', eventBytes)
      if (isStream && totalLines > streamLines) throw tooMany('lines in an answer', streamLines)
      if (values > eventValues) throw tooMany('JSON values at once', eventValues)
      return at
    },
  }
}

function tooLarge(what: string, bytes: number): RefusedAnswerError {
  const megabytes = bytes / 1024 / 1024
  return new RefusedAnswerError(`The provider sent more than ${megabytes} MB in ${what}, which is the limit.`)
}

function tooMany(what: string, most: number): RefusedAnswerError {
  return new RefusedAnswerError(
    `The provider sent more than ${most.toLocaleString('en')} ${what}, which is the limit.`,
  )
}

function nestedTooDeep(): RefusedAnswerError {
  return new RefusedAnswerError(
    `The provider sent JSON that is nested deeper than ${eventNesting} levels, which is the limit.`,
  )
}
