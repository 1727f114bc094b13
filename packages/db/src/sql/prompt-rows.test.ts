import { lease, newSession, replyWrite } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

const MANIFEST = 'You are an assistant. '.repeat(200)
const TOOLS = '- read: Reads a file. '.repeat(100)

type Row = { digest: string; body: string }

function rowsOf(path: string): Row[] {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare<[], Row>('SELECT digest, body FROM system_prompts ORDER BY digest').all()
  } finally {
    database.close()
  }
}

test('SY-2 DA-13 what many prompts share is one row, and a purge of all of them leaves none', async () => {
  await using fixture = await temporaryStore()
  const { store, path } = fixture
  const days = ['1', '2', '3', '4']
  for (const day of days) {
    await store.sessions.create(newSession(day))
    const run = lease(day, 1)
    await store.runs.begin(run, { type: 'existing', change: null })
    const { metadata, ...write } = replyWrite(run, `r${day}`, [])
    const systemPrompt = {
      digest: `d${day}`,
      body: `${MANIFEST}Day ${day}${TOOLS}`,
      start: { digest: 'manifest', characters: MANIFEST.length },
      end: { digest: 'tools', characters: TOOLS.length },
    }
    await store.runs.commitStep({
      ...write,
      metadata: { ...metadata, systemPromptDigest: systemPrompt.digest },
      usage: null,
      contextTokens: null,
      contextEstimated: false,
      model: { providerId: 'lab', modelId: 'one' },
      systemPrompt,
    })
    await store.runs.end(run, null, 5_000)
  }
  expect(rowsOf(path)).toEqual([
    ...days.map((day) => ({ digest: `d${day}`, body: `Day ${day}` })),
    { digest: 'manifest', body: MANIFEST },
    { digest: 'tools', body: TOOLS },
  ])
  for (const [index, day] of days.entries()) {
    expect(await store.messages.systemPrompt(`d${day}`)).toBe(`${MANIFEST}Day ${day}${TOOLS}`)
    await store.sessions.delete(day, { withBranches: false, at: 6_000 })
    await store.sessions.purge(day)
    expect(rowsOf(path)).toHaveLength(index === 3 ? 0 : 5 - index)
  }
})
