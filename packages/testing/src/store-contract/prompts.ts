import type { Store, SystemPromptWrite } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { sha256 } from '../../../core/src/domain/values/sha256.ts'
import {
  exported,
  given,
  lease,
  MODEL,
  newSession,
  type OpenFixture,
  removeSession,
  replyWrite,
} from './fixtures.ts'

const MANIFEST = 'You are an assistant. \u{1F601}\n\n'
const TOOLS = '\n\n# Tools\n- read: Reads "files".'

const shared = async (text: string) => ({ digest: await sha256(text), characters: text.length })

async function promptOf(day: string): Promise<SystemPromptWrite> {
  const body = `${MANIFEST}# Environment\nDate: ${day}${TOOLS}`
  const [start, end] = await Promise.all([shared(MANIFEST), shared(TOOLS)])
  return { digest: await sha256(body), body, start, end }
}

/** A session whose one reply was written with this prompt. */
async function withPrompt(store: Store, sessionId: string, systemPrompt: SystemPromptWrite): Promise<void> {
  await store.sessions.create(newSession(sessionId))
  const run = lease(sessionId, 1)
  await store.runs.begin(run, { type: 'existing', change: null })
  const { metadata, ...write } = replyWrite(run, `r_${sessionId}`, [{ type: 'text', text: 'ok' }])
  await store.runs.commitStep({
    ...write,
    metadata: { ...metadata, systemPromptDigest: systemPrompt.digest },
    usage: null,
    contextTokens: null,
    contextEstimated: false,
    model: MODEL,
    systemPrompt,
  })
  await store.runs.end(run, null, 5_000)
}

async function purge(store: Store, sessionId: string): Promise<void> {
  await store.sessions.delete(sessionId, { withBranches: false, at: 6_000 })
  await store.sessions.purge(sessionId)
}

export function promptContract(open: OpenFixture): void {
  test('SY-2 a prompt that shares its beginning and its end with others is read and exported as it was', async () => {
    await using fixture = await open()
    const { store } = fixture
    const prompts = await Promise.all(['2026-11-23', '2026-11-24'].map(promptOf))
    for (const [index, prompt] of prompts.entries()) await withPrompt(store, `s${index}`, prompt)
    const after = await fixture.restart()
    for (const { digest, body } of prompts) expect(await after.messages.systemPrompt(digest)).toBe(body)
    const lines = await exported(after, 's1')
    const [, second] = prompts
    const data = { digest: second?.digest, body: second?.body }
    expect(lines.filter(({ type }) => type === 'system_prompt').map((line) => line.data)).toEqual([data])
    await removeSession(after, 's1')
    expect(await after.messages.systemPrompt(second?.digest ?? '')).toBeNull()
    await after.history.importRows(given(lines))
    expect(await after.messages.systemPrompt(second?.digest ?? '')).toBe(second?.body)
  })

  test('DA-14 SY-2 a purge removes the prompts that nothing else names, and what others share stays', async () => {
    await using fixture = await open()
    const { store } = fixture
    const first = await promptOf('2026-11-23')
    const second = await promptOf('2026-11-24')
    await withPrompt(store, 'a', first)
    await withPrompt(store, 'b', first)
    await withPrompt(store, 'c', second)
    const bodies = () => Promise.all([first, second].map(({ digest }) => store.messages.systemPrompt(digest)))
    await store.sessions.delete('c', { withBranches: false, at: 6_000 })
    expect(await bodies()).toEqual([first.body, second.body])
    await store.sessions.purge('c')
    expect(await bodies()).toEqual([first.body, null])
    await purge(store, 'a')
    expect(await bodies()).toEqual([first.body, null])
    await purge(store, 'b')
    expect(await bodies()).toEqual([null, null])
    // What is written again is whole again.
    await withPrompt(store, 'd', second)
    expect(await bodies()).toEqual([null, second.body])
  })
}
