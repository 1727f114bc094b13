import type { AskStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import { asksOfRun, openAsks, readAsk, replyToAsk } from '../sql/ask-rows.ts'

export function createAskStore(database: Database): AskStore {
  return {
    get: (askId) => database.read((queries) => readAsk(queries, askId)),
    open: (sessionId) => database.read((queries) => openAsks(queries, sessionId)),
    ofRun: (runId) => database.read((queries) => asksOfRun(queries, runId)),
    reply: (askId, reply, at) => database.write((queries) => replyToAsk(queries, askId, reply, at)),
  }
}
