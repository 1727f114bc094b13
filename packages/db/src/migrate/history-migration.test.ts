import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder } from '../testing/temporary-store.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, migrationNames } from './migrations.ts'

const BEFORE = `
INSERT INTO chat_sessions (id, agent, model_json, created_at, updated_at) VALUES ('a', 'chat', '{}', 1, 1);
INSERT INTO chat_messages (id, session_id, seq, role, metadata_json, hidden_at, hidden_by, created_at, updated_at)
VALUES ('m1', 'a', 1, 'user', '{}', NULL, NULL, 1, 1), ('m2', 'a', 2, 'user', '{}', 2, 'op_1', 1, 1),
  ('m3', 'a', 3, 'assistant', '{}', 2, 'op_1', 1, 1), ('m4', 'a', 4, 'user', '{}', NULL, NULL, 1, 1);
INSERT INTO history_ops (id, session_id, kind, detail_json, created_at) VALUES
  ('op_2', 'a', 'rewind', '{"target_message_id":"m1","hidden":[]}', 1),
  ('op_1', 'a', 'rewind', '{"target_message_id":"m2","hidden":["m3","m2"],"replaced":"m2"}', 2);
`

test('RL-6 rewinds that were noted by ids are noted by places, and can be taken back', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  const earlier = join(folder.path, 'migrations')
  await cp(MIGRATIONS, earlier, { recursive: true })
  for (const later of (await migrationNames(earlier)).slice(1))
    await rm(join(earlier, later), { recursive: true })
  await migrate(path, earlier)
  const database = new Database(path)
  database.exec(BEFORE)
  database.close()
  await using store = await openStore({ url: `file:${path}`, clock: CLOCK })
  const { operations } = await store.history.outline('a')
  expect(operations.map(({ detail }) => detail)).toEqual([
    { lastSeq: 0, hidden: [], shown: [], targetMessageId: 'm1' },
    {
      lastSeq: 3,
      hidden: [
        [2, 2],
        [3, 3],
      ],
      shown: [],
      targetMessageId: 'm2',
      replacedMessageId: 'm2',
    },
  ])
  expect((await store.history.lastRewind('a'))?.id).toBe('op_1')
})
