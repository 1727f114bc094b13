import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder } from '../testing/temporary-store.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS, migrationNames } from './migrations.ts'

const BEFORE = `
INSERT INTO chat_sessions (id, agent, model_json, workspace_root, created_at, updated_at) VALUES
  ('a', 'chat', '{}', NULL, 1, 1), ('b', 'chat', '{}', '/srv/site', 1, 1);
`

test('RL-6 a session of an earlier release keeps the folder that it worked in, and a later one without a folder stays so', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  const earlier = join(folder.path, 'migrations')
  await cp(MIGRATIONS, earlier, { recursive: true })
  for (const name of await migrationNames(earlier))
    if (name.endsWith('_no_folder')) await rm(join(earlier, name), { recursive: true })
  await migrate(path, earlier)
  const database = new Database(path)
  database.exec(BEFORE)
  database.close()

  const open = async (firstFolder: string) =>
    await openStore({ url: `file:${path}`, clock: CLOCK, firstFolder })
  async function foldersAfter(firstFolder: string) {
    await using store = await open(firstFolder)
    const sessions = await Promise.all(['a', 'b', 'c'].map((id) => store.sessions.get(id)))
    if (sessions[2] === null) {
      const model = { providerId: 'lab', modelId: 'one' }
      const links = { parentId: null, parentMessageId: null, workspaceRoot: null }
      await store.sessions.create({
        id: 'c',
        title: 'C',
        agent: 'chat',
        model,
        ...links,
        metadata: {},
        at: 5,
      })
    }
    return sessions.map((session) => session?.workspaceRoot)
  }
  expect(await foldersAfter('/home/ana')).toEqual(['/home/ana', '/srv/site', undefined])
  expect(await foldersAfter('/elsewhere')).toEqual(['/home/ana', '/srv/site', null])
})
