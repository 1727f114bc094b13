import { createJsonCounter } from '../../domain/json/nesting.ts'
import { PROVIDER_LIMITS } from '../../domain/model/provider-limits.ts'
import { RefusedAnswerError } from '../refused-answer.ts'

const { streamBytes, streamLines, bodyBytes, emptyLines, eventBytes, eventValues, eventNesting } =
  PROVIDER_LIMITS

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
const COLON = 0x3a

/** Bytes of the shortest line that holds an event: longer than `data: [DONE]`. */
const SHORTEST_EVENT = 15

export function createAnswerScanner(kind: AnswerKind): AnswerScanner {
  const isStream = kind === 'stream'
  const maxTotal = isStream ? streamBytes : bodyBytes
  /** Of the event that is on its way; an answer that is no stream counts as one event. */
  const json = createJsonCounter()
  let event = 0
  let total = 0
  let totalLines = 0
  let line = 0
  let isComment = false
  /** Lines since the last one that may hold an event. */
  let idleLines = 0
  let lastByte = 0

  function endLine() {
    // No JSON string continues after a line's end, and a comment may hold any quotation marks.
    json.endString()
    if (isStream && line === 0) {
      check()
      event = 0
      json.reset()
    }
    idleLines = isComment || line < SHORTEST_EVENT ? idleLines + 1 : 0
    line = 0
  }

  /** True when a line ends with this byte. */
  function readByte(byte: number): boolean {
    const isSecondOfBoth = byte === LF && lastByte === CR
    lastByte = byte
    event += 1
    if (byte !== CR && byte !== LF) {
      if (line === 0) isComment = byte === COLON
      line += 1
      json.read(byte)
      return false
    }
    if (isSecondOfBoth) return false
    endLine()
    return true
  }

  function check() {
    if (total > maxTotal) throw tooLarge('an answer', maxTotal)
    if (isStream && event > eventBytes) throw tooLarge('one event', eventBytes)
    if (isStream && totalLines > streamLines) throw tooMany('lines in an answer', streamLines)
    if (isStream && idleLines > emptyLines) throw tooMany('lines in a row without an event', emptyLines)
    if (json.values > eventValues) throw tooMany('JSON values at once', eventValues)
    if (json.deepest > eventNesting) throw nestedTooDeep()
  }

  return {
    scan(bytes, most) {
      const end = Math.min(bytes.length, most.bytes)
      let lines = 0
      let at = 0
      while (at < end && lines < most.lines) {
        if (readByte(bytes[at] as number)) lines += 1
        at += 1
      }
      total += at
      totalLines += lines
      check()
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
