import { IMPORT_LIMITS, LIMITS } from '../limits.ts'
import { charactersOf } from '../message/assert-queue-capacity.ts'
import type { ExportRow } from './export-rows.ts'
import { Flaw } from './row-json.ts'

/** What an export has brought so far, counted by message; both methods throw a `Flaw` past a limit. */
export type MessageTally = {
  addMessage(row: ExportRow<'message'>): void
  addPart(row: ExportRow<'part'>, data: Record<string, unknown>): void
  roleOf(messageId: string): string | undefined
  /** The highest place of a message; 0 without one. */
  readonly lastSeq: number
}

type Counts = { role: string; waits: boolean; parts: number; files: number; characters: number }

export function createMessageTally(): MessageTally {
  const messages = new Map<string, Counts>()
  const waiting = new Set<number>()
  let waitingCharacters = 0
  let lastSeq = 0

  return {
    addMessage({ id, role, seq, queued_at, hidden_at }) {
      const waits = queued_at !== null && hidden_at === null
      messages.set(id, { role, waits, parts: 0, files: 0, characters: 0 })
      lastSeq = Math.max(lastSeq, seq ?? 0)
      if (!waits) return
      if (waiting.has(queued_at)) throw new Flaw(`two messages are queued at ${queued_at}`)
      if (waiting.size >= LIMITS.queuedMessages)
        throw new Flaw(`more than ${LIMITS.queuedMessages} messages are queued`)
      waiting.add(queued_at)
    },

    addPart({ message_id, type }, data) {
      const counts = messages.get(message_id)
      if (counts === undefined) return
      counts.parts += 1
      if (type === 'file') counts.files += 1
      if (typeof data['text'] === 'string') counts.characters += data['text'].length
      checkCounts(message_id, counts)
      if (counts.waits) waitingCharacters += charactersOf(data)
      if (waitingCharacters > LIMITS.queuedCharacters)
        throw new Flaw(`queued messages have more than ${LIMITS.queuedCharacters} characters`)
    },

    roleOf: (messageId) => messages.get(messageId)?.role,

    get lastSeq() {
      return lastSeq
    },
  }
}

/** Replies have any length; user messages have the limits of a send. */
function checkCounts(id: string, { role, parts, files, characters }: Counts): void {
  const isUser = role === 'user'
  const mostParts = isUser ? LIMITS.partsPerMessage : IMPORT_LIMITS.partsPerMessage
  if (parts > mostParts) throw new Flaw(`${id} has more than ${mostParts} parts`)
  if (isUser && files > LIMITS.filesPerMessage)
    throw new Flaw(`${id} has more than ${LIMITS.filesPerMessage} files`)
  if (isUser && characters > LIMITS.messageCharacters)
    throw new Flaw(`${id} has more than ${LIMITS.messageCharacters} characters`)
}
