import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@palimpsest/core'
import type { Store } from '@palimpsest/core/ports'
import { openStore } from '@palimpsest/db'
import { type CoreLab, openCoreLab, reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { longTalk } from '../testing/long-talk.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const TABLES = [
  'chat_sessions',
  'chat_messages',
  'chat_parts',
  'history_ops',
  'system_prompts',
  'run_leases',
  'search_entries',
]

type Act = (sessions: CoreLab['sessions'], store: Store) => Promise<unknown>

const sessionId = 'talk'
const TEXT = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

const CONDENSED = {
  text: 'Short.',
  model: { providerId: 'lab', modelId: 'cheap' },
  ofCharacters: 60_000,
  beforeTokens: 15_000,
  afterTokens: 10,
  spentTokens: 15_020,
}

const CONDENSED_CALL = { sessionId, messageId: 'talk_2', toolCallId: 'call_2' }

/** The operations, each with the one that has to precede it. */
const OPERATIONS: Record<string, { before?: Act; act: Act }> = {
  rewind: { act: ({ history }) => history.rewind({ sessionId, messageId: 'talk_3' }) },
  unrewind: {
    before: ({ history }) => history.rewind({ sessionId, messageId: 'talk_3' }),
    act: ({ history }) => history.unrewind({ sessionId }),
  },
  'edit and send': {
    act: (sessions) => sessions.send({ sessionId, replaceMessageId: 'talk_5', message: TEXT('Instead') }),
  },
  resend: { act: (sessions) => sessions.resend({ sessionId, messageId: 'talk_5' }) },
  branch: { act: ({ history }) => history.branch({ sessionId, fromMessageId: 'talk_7' }) },
  compact: { act: ({ history }) => history.compact(sessionId) },
  uncompact: {
    before: ({ history }) => history.compact(sessionId),
    act: ({ history }) => history.uncompact(sessionId),
  },
  prune: { act: ({ history }) => history.prune(sessionId) },
  unprune: {
    before: ({ history }) => history.prune(sessionId),
    act: ({ history }) => history.unprune(sessionId),
  },
  uncondense: { act: ({ history }) => history.uncondense(CONDENSED_CALL) },
  recondense: {
    before: ({ history }) => history.uncondense(CONDENSED_CALL),
    act: ({ history }) => history.recondense(CONDENSED_CALL),
  },
  'leave out': { act: ({ history }) => history.leaveOut({ sessionId, messageId: 'talk_3' }) },
  'bring back': {
    before: ({ history }) => history.leaveOut({ sessionId, messageId: 'talk_3' }),
    act: ({ history }) => history.bringBack({ sessionId, messageId: 'talk_3' }),
  },
  keep: { act: ({ history }) => history.keep(sessionId) },
  'condensed forms': {
    act: (_, store) =>
      store.history.keepCondensed({
        sessionId,
        messageId: 'talk_4',
        condensed: { call_4: CONDENSED },
        contextTokens: 99,
        contextEstimated: true,
        at: 9_000,
      }),
  },
  'import under the same ids': {
    act: ({ history }) => history.import([longTalk({ id: 'other', turns: 4 })]),
  },
  'import under new ids': { act: ({ history }) => history.import([longTalk({ id: 'talk', turns: 4 })]) },
}

test.for(Object.entries(OPERATIONS))(
  'RL-3 %s changes nothing when any of its rows cannot be written',
  { timeout: 60_000 },
  async ([, { before, act }]) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'chat.db')
    await using lab = await openLab(path)
    await lab.sessions.history.import([
      longTalk({ id: sessionId, turns: 8, output: 60_000, ephemeral: true, condensed: true }),
    ])
    await before?.(lab.sessions, lab.ports.store)
    using disk = openDisk(path)
    const intact = disk.contents()
    let refused = 0
    for (; ; refused++) {
      disk.failAt(refused)
      const failure = await act(lab.sessions, lab.ports.store).then(
        () => null,
        (error: unknown) => error,
      )
      disk.failAt(null)
      if (failure === null) break
      expect(failure).toMatchObject({ code: 'STORE_ERROR' })
      expect(disk.contents(), `after write ${refused}`).toEqual(intact)
    }
    expect(refused).toBeGreaterThan(0)
    expect(disk.contents()).not.toEqual(intact)
    expect(disk.integrity()).toBe('ok')
  },
)

async function openLab(path: string): Promise<CoreLab> {
  const store = await openStore({ url: `file:${path}`, clock: systemClock })
  const lab = await openCoreLab({ store })
  lab.provider.otherwise(reply({ text: 'So far, so good.' }))
  return lab
}

/** A second connection to the file, which can make the write of one row through the first fail. */
function openDisk(path: string) {
  const file = new DatabaseSync(path, { timeout: 5_000 })
  file.exec('CREATE TABLE test_fault (countdown INTEGER)')
  for (const table of TABLES) {
    for (const event of ['INSERT', 'UPDATE', 'DELETE']) {
      file.exec(`CREATE TRIGGER test_fault_${table}_${event} BEFORE ${event} ON ${table} BEGIN
        UPDATE test_fault SET countdown = countdown - 1;
        SELECT RAISE(ABORT, 'disk I/O error') FROM test_fault WHERE countdown = -1;
      END`)
    }
  }
  return {
    /** Makes the write of a row fail, counted from 0. */
    failAt(countdown: number | null) {
      file.exec('DELETE FROM test_fault')
      if (countdown !== null) file.prepare('INSERT INTO test_fault VALUES (?)').run(countdown)
    },
    contents: () => TABLES.map((table) => file.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all()),
    integrity: () => file.prepare('PRAGMA integrity_check').get()?.['integrity_check'],
    [Symbol.dispose]: () => file.close(),
  }
}
