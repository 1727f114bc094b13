import { expect, test } from 'vitest'
import { IMPORT_LIMITS, LIMITS } from '../limits.ts'
import type { ExportRow } from './export-rows.ts'
import { createMessageTally } from './message-tally.ts'

type Message = { role?: string; seq?: number | null; queued_at?: number | null; hidden_at?: number | null }

// Only these columns are counted.
const message = (id: string, over: Message = {}) =>
  ({ id, role: 'user', seq: 1, queued_at: null, hidden_at: null, ...over }) as ExportRow<'message'>
const part = (message_id: string, type = 'text') => ({ message_id, type }) as ExportRow<'part'>
const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) })

/** A tally with one message, and parts that are added to it one after the other. */
function adding(over: Message, parts: readonly { type?: string; data: Record<string, unknown> }[]) {
  const tally = createMessageTally()
  tally.addMessage(message('m', over))
  return () => {
    for (const { type, data } of parts) tally.addPart(part('m', type), data)
  }
}

const many = (count: number, type: string, data: Record<string, unknown> = {}) =>
  Array.from({ length: count }, () => ({ type, data }))

test('SX-12 a message of a user has the parts, files and characters of a send, and not one more', () => {
  const { partsPerMessage, filesPerMessage, messageCharacters } = LIMITS
  expect(adding({}, many(partsPerMessage, 'text'))).not.toThrow()
  expect(adding({}, many(partsPerMessage + 1, 'text'))).toThrow(`more than ${partsPerMessage} parts`)
  expect(adding({}, many(filesPerMessage, 'file'))).not.toThrow()
  expect(adding({}, many(filesPerMessage + 1, 'file'))).toThrow(`more than ${filesPerMessage} files`)
  expect(adding({}, [{ data: text(messageCharacters - 1) }, { data: text(1) }])).not.toThrow()
  expect(adding({}, [{ data: text(messageCharacters) }, { data: text(1) }])).toThrow(
    `more than ${messageCharacters} characters`,
  )
})

test('SX-12 a reply has any characters and files, and the parts of an import', () => {
  const role = 'assistant'
  expect(adding({ role }, many(LIMITS.filesPerMessage + 1, 'file'))).not.toThrow()
  expect(adding({ role }, [{ data: text(LIMITS.messageCharacters + 1) }])).not.toThrow()
  expect(adding({ role }, many(IMPORT_LIMITS.partsPerMessage, 'text'))).not.toThrow()
  expect(adding({ role }, many(IMPORT_LIMITS.partsPerMessage + 1, 'text'))).toThrow('parts')
})

test('SX-12 so many messages wait as in a queue, each at its own time; hidden and placed ones do not count', () => {
  const tally = createMessageTally()
  const waiting = (at: number, over: Message = {}) =>
    tally.addMessage(message(`q${at}`, { seq: null, queued_at: at, ...over }))
  for (let at = 0; at < LIMITS.queuedMessages; at++) waiting(at)
  expect(() => waiting(0)).toThrow('two messages are queued at 0')
  expect(() => waiting(0, { hidden_at: 5 })).not.toThrow()
  expect(() => waiting(LIMITS.queuedMessages)).toThrow(`more than ${LIMITS.queuedMessages} messages`)
})

test('SX-12 the characters of all messages that wait are bounded together', () => {
  const size = LIMITS.messageCharacters
  const count = Math.floor(LIMITS.queuedCharacters / size)
  const fill = (over: Message) => {
    const tally = createMessageTally()
    for (let at = 0; at <= Math.min(count, LIMITS.queuedMessages - 1); at++) {
      tally.addMessage(message(`q${at}`, { seq: null, queued_at: at, ...over }))
      tally.addPart(part(`q${at}`), text(size))
    }
  }
  if (count < LIMITS.queuedMessages) expect(() => fill({})).toThrow('queued messages have more than')
  expect(() => fill({ hidden_at: 1 })).not.toThrow()
})

test('SX-12 the last place is the highest, in any order, and 0 without one', () => {
  const tally = createMessageTally()
  expect(tally.lastSeq).toBe(0)
  tally.addMessage(message('q', { seq: null, queued_at: 1 }))
  expect(tally.lastSeq).toBe(0)
  for (const seq of [3, 7, 5]) tally.addMessage(message(`m${seq}`, { seq }))
  expect(tally.lastSeq).toBe(7)
  expect([tally.roleOf('m3'), tally.roleOf('m4')]).toEqual(['user', undefined])
})
