import { type CoreLab, openCoreLab, reply } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

/** Parts that say what they are and lack what they need. */
const HALF = [
  '{"type":"text"}',
  '{"type":"text","text":5}',
  '{"type":"text","text":null}',
  '{"type":"reasoning"}',
  '{"type":"reasoning","text":{}}',
  '{"type":"file"}',
  '{"type":"file","url":5,"mediaType":"image/png"}',
  '{"type":"file","url":"data:,"}',
  '{"type":"tool-read"}',
  '{"type":"tool-read","toolCallId":"c"}',
  '{"type":"tool-read","toolCallId":5,"state":"output-available"}',
  '{"type":"dynamic-tool","toolCallId":"c","state":"output-available"}',
  '{"type":"source-url"}',
  '{"type":"source-document"}',
  '{"type":"steering-message"}',
  '{"type":"steering-message","id":"x","parts":5}',
]

/** Everything a page asks of a session. */
async function lookAround({ sessions }: CoreLab, sessionId: string): Promise<void> {
  await sessions.get(sessionId)
  await sessions.messages({ sessionId, hidden: true })
  await sessions.content(sessionId)
  await sessions.history.timeline(sessionId)
  await sessions.history.tree(sessionId)
  await sessions.search({ text: 'hi' })
}

test.for(HALF)(
  'DA-11 %s is shown as unreadable, and the session is read, continued, branched and rewound',
  async (data) => {
    await using fixture = await temporaryStore()
    await using lab = await openCoreLab({ store: fixture.store })
    lab.provider.otherwise(reply({ text: 'An answer' }))
    const { sessionId, messages } = await lab.turn('hi')
    const [question, answer] = messages.map(({ id }) => id)
    const database = new Database(fixture.path)
    const type: unknown = JSON.parse(data).type
    database
      .prepare('UPDATE chat_parts SET data_json = ?, type = ? WHERE message_id = ? AND "index" = 1')
      .run(data, type, answer)
    database.close()
    const { items } = await lab.sessions.messages({ sessionId })
    expect(items[1]?.parts.map((part) => part.type)).toEqual(['step-start', 'data-unreadable'])
    await lookAround(lab, sessionId)
    const next = await lab.turn('And now?', sessionId)
    expect(next.messages.at(-1)?.metadata?.finishReason).toBe('stop')
    const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: answer ?? '' })
    await lookAround(lab, branch.id)
    await lab.sessions.history.rewind({ sessionId, messageId: question ?? '' })
    await lab.sessions.history.unrewind({ sessionId })
    await lookAround(lab, sessionId)
    expect((await lab.sessions.messages({ sessionId })).items).toHaveLength(4)
  },
)
