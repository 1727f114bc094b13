import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkCopies } from '../testing/check-copies.ts'
import { temporaryFolder } from '../testing/temporary-store.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, migrationNames } from './migrations.ts'

/** A database as the releases before these columns left it, with the same metadata in sessions and messages. */
async function earlierDatabase(folder: string, metadata: string[]): Promise<string> {
  const path = join(folder, 'a.db')
  const earlier = join(folder, 'migrations')
  await cp(MIGRATIONS, earlier, { recursive: true })
  for (const name of await migrationNames(earlier)) {
    if (name >= '20261122055000') await rm(join(earlier, name), { recursive: true })
  }
  await migrate(path, earlier)
  const database = new Database(path)
  const session = database.prepare(
    "INSERT INTO chat_sessions (id, agent, model_json, metadata_json, created_at, updated_at) VALUES (?, 'a', '{}', ?, 1, 1)",
  )
  const message = database.prepare(
    `INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, queued_at, created_at, updated_at)
     VALUES (?, ?, ?, 'assistant', ?, ?, 1, 1)`,
  )
  const operation = database.prepare(
    "INSERT INTO history_ops (id, session_id, kind, detail_json, created_at) VALUES (?, ?, 'rewind', '{', ?)",
  )
  metadata.forEach((json, index) => {
    session.run(`s${index}`, json)
    metadata.forEach((other, place) => {
      if (place < index) message.run(`m${index}_${place}`, `s${index}`, place + 1, other, null)
    })
    message.run(`q${index}`, `s${index}`, null, json, 5)
    // Their order was that of their rows, whatever their ids and times.
    for (const no of [3, 1, 2]) operation.run(`op_${index}_${no}`, `s${index}`, 100 - no)
  })
  database.close()
  return path
}

const DAMAGED = [
  '',
  '{',
  'null',
  '[]',
  '5',
  '{"ephemeral":1,"context_estimated":"yes"}',
  '{"usage":{"input":9e99,"output":"x","steps":null,"reasoning":-1,"cache_read":2147483648,"unknown":1}}',
  '{"model":"gpt","run_id":{},"window":[],"condensed":null,"compaction_id":5,"system_prompt_digest":[]}',
  '{"__proto__":{"run_id":"r"},"usage":{"input":9223372036854775807}}',
]

const word = fc.string({ maxLength: 8 })
const count = fc.oneof(fc.nat(), fc.constantFrom(-1, 0.5, 2 ** 40, null, 'x'))
const optional = { requiredKeys: [] as [] }
const anything = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }))
const metadata = fc.record(
  {
    ephemeral: fc.constantFrom(true, false),
    context_estimated: fc.constantFrom(true, false),
    run_id: anything,
    model: fc.oneof(fc.record({ provider_id: word, model_id: anything, variant: word }, optional), anything),
    usage: fc.oneof(
      fc.record(
        {
          input: count,
          output: count,
          reasoning: count,
          cache_read: count,
          cache_write: count,
          steps: count,
          unknown: fc.constantFrom(true, false),
        },
        optional,
      ),
      anything,
    ),
    compaction_id: word,
    window: fc.oneof(fc.record({ tokens: fc.nat(), compaction_id: word }, optional), anything),
    condensed: anything,
    system_prompt_digest: word,
  },
  optional,
)

test('RL-6 columns are filled from rows that are there, as if today’s code had written them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(metadata, { minLength: 5, maxLength: 10 }), async (values) => {
      await using folder = await temporaryFolder()
      const stored = [...DAMAGED, ...values.map((value) => JSON.stringify(value))]
      const path = await earlierDatabase(folder.path, stored)
      await migrate(path)
      checkCopies(path)
      const database = new Database(path, { readonly: true })
      const order = database.prepare("SELECT id FROM history_ops WHERE session_id = 's4' ORDER BY ordinal")
      expect(order.pluck().all()).toEqual(['op_4_3', 'op_4_1', 'op_4_2'])
      database.close()
    }),
    { numRuns: 6 },
  )
})
