import type { AskStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import { asksOfRun, openAsks, replyToAsk } from '../sql/ask-rows.ts'

export function createAskStore(database: Database): AskStore {
  return {
    open: (sessionId) => database.read((queries) => openAsks(queries, sessionId)),
    ofRun: (runId) => database.read((queries) => asksOfRun(queries, runId)),
    reply: (askId, reply, at) => database.writeRaw((queries) => replyToAsk(queries, askId, reply, at)),
  }
}
