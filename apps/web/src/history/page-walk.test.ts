import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSummary } from '../session/summary.ts'
import { shownMessages } from '../session/thread-view.ts'
import { openWalkingPage, type WalkingPage } from '../testing/walking-page.ts'
import { trayRewind } from './rewind/rewind-tray-state.ts'
import { wayBack } from './rewind/way-back.ts'
import { withCovers } from './thread/reveal.ts'
import { type ThreadLayout, threadLayout } from './thread/thread-layout.ts'

const SEQUENCES = process.env['TEST_PROFILE'] === 'long' ? 3_000 : 150

/** What the page showed at a point: its messages, and the tokens of the meter. */
type Shown = { messages: readonly ChatMessage[]; used: number | undefined }

type Walk = { page: WalkingPage; points: Map<string, Shown>; asked: number }

const ids = (messages: readonly ChatMessage[]) => messages.map(({ id }) => id)
const said = (messages: readonly ChatMessage[]) => messages.filter((message) => !isSummary(message))
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]

function layOut({ store }: WalkingPage, revealed: readonly string[] = []): ThreadLayout {
  const { messages, timeline } = store.get()
  return threadLayout({ loaded: messages, revealed: new Set(revealed), timeline })
}

function shownBy({ store }: WalkingPage): Shown {
  const { messages, contextWindow } = store.get()
  return {
    messages: messages.filter(({ metadata }) => metadata?.hiddenBy === undefined),
    used: contextWindow?.used,
  }
}

const questionOf = ({ store }: WalkingPage, at: number) =>
  pick(
    store.get().messages.filter(({ role }) => role === 'user'),
    at,
  )?.id

const visibleOf = (page: WalkingPage, at: number) => pick(shownMessages(page.store.get()), at)?.id

function tray(page: WalkingPage) {
  const state = page.store.get()
  const entry = trayRewind(state.timeline, shownMessages(state), null)
  return entry && { entry, way: wayBack(state.timeline, entry) }
}

function ask(walk: Walk, replaces?: string): void {
  walk.asked += 1
  walk.page.send(`Question ${walk.asked}`, replaces)
}

/** What a person presses, as the page carries it out. */
const ACTS = {
  ask: (walk) => ask(walk),
  edit: (walk, at) => ask(walk, questionOf(walk.page, at)),
  regenerate({ page }, at) {
    const messageId = questionOf(page, at)
    if (messageId !== undefined) page.regenerate(messageId)
  },
  rewind({ page }, at) {
    const messageId = questionOf(page, at)
    if (messageId !== undefined) page.commands.rewind(messageId)
  },
  restoreFromTray({ page }) {
    const offered = tray(page)
    if (offered !== null) page.commands.restoreTo(offered.way.pointId)
  },
  undo({ page }, at) {
    const entry = pick(
      page.store.get().timeline.filter(({ canUndo }) => canUndo),
      at,
    )
    if (entry !== undefined) page.commands.undo(entry)
  },
  async restore({ page }, at) {
    const points = await page.sessions.history.restorePoints({ sessionId: page.sessionId })
    const point = pick(points, at)
    if (point !== undefined) page.commands.restoreTo(point.pointId)
  },
  restoreHidden({ page }, at) {
    const hidden = page.store.get().messages.flatMap(({ metadata }) => metadata?.hiddenBy ?? [])
    const operationId = pick(
      hidden.filter((id) => !id.startsWith('run_')),
      at,
    )
    if (operationId !== undefined) page.commands.restoreHidden(operationId)
  },
  async version({ page }, at) {
    const places = await page.sessions.history.threadVersions(page.sessionId)
    const place = pick(places, at)
    const to = place && pick(place.versions, at)
    if (place && to) page.commands.switchVersion(place.messageId, to.messageId)
  },
  branch({ page }, at) {
    const messageId = visibleOf(page, at)
    if (messageId !== undefined) page.commands.branch(messageId)
  },
  summarise: ({ page }) => page.commands.compact(),
  leaveOut({ page }, at) {
    const messageId = visibleOf(page, at)
    if (messageId !== undefined) page.commands.leaveOut(messageId)
  },
  bringBack({ page }, at) {
    const left = shownMessages(page.store.get()).filter(({ metadata }) => metadata?.leftOut)
    const messageId = pick(left, at)?.id
    if (messageId !== undefined) page.commands.bringBack(messageId)
  },
} satisfies Record<string, (walk: Walk, at: number) => void | Promise<void>>

type Act = [name: keyof typeof ACTS, at: number]

/** Carries one out, and notes what the page showed before it under the point that it has made. */
async function act(walk: Walk, [name, at]: Act): Promise<void> {
  const { page, points } = walk
  const { history } = page.sessions
  const before = shownBy(page)
  const known = new Set((await history.restorePoints(page)).map(({ pointId }) => pointId))
  await ACTS[name](walk, at)
  await page.settled()
  const made = (await history.restorePoints(page)).findLast(({ pointId }) => !known.has(pointId))
  if (made === undefined) return
  points.set(made.pointId, before)
  expect([made.messages, made.tokens], made.label).toEqual([said(before.messages).length, before.used])
}

/** When a message was hidden is shown nowhere, and events do not say it. */
function withoutTime({ metadata, ...message }: ChatMessage) {
  const { hiddenAt: _, ...rest } = metadata ?? {}
  return { ...message, metadata: rest }
}

/** The thread, its dividers and the meter are those of the store. */
async function checkThread(page: WalkingPage): Promise<void> {
  const { sessionId, sessions, store } = page
  const { messages, timeline, contextWindow } = store.get()
  const [{ items }, stored, view] = await Promise.all([
    sessions.messages({ sessionId, limit: 200, hidden: true }),
    sessions.history.timeline(sessionId),
    sessions.get(sessionId),
  ])
  expect(messages.map(withoutTime)).toEqual(items.map(withoutTime))
  expect(timeline).toEqual(stored)
  expect(contextWindow).toEqual(view.contextWindow)

  const layout = layOut(page)
  expect(ids(layout.messages).toSorted()).toEqual(ids(shownBy(page).messages).toSorted())
  const traces = [...layout.traces.values(), layout.endTrace].filter((trace) => trace !== null)
  const traced = traces.reduce((sum, { count }) => sum + count, 0)
  let summarised = 0
  for (const summary of layout.messages.filter(isSummary)) {
    const entry = timeline.find(({ id }) => id === summary.metadata?.compactionId)
    if (entry === undefined) continue
    const opened = layOut(page, [entry.id]).messages
    expect(said(opened).length - said(layout.messages).length).toBe(entry.hiddenCount)
    summarised += entry.hiddenCount
    const folded = opened.filter((message) => isSummary(message) && !layout.messages.includes(message))
    for (const { metadata } of folded)
      summarised += timeline.find(({ id }) => id === metadata?.compactionId)?.hiddenCount ?? 0
  }
  const hidden = said(messages).filter(({ metadata }) => metadata?.hiddenBy?.startsWith('op_'))
  expect(traced + summarised).toBe(hidden.length)
}

/** What the tray says is what Restore does, and what Show shows is at most what lies there. */
async function checkTray(page: WalkingPage): Promise<void> {
  const offered = tray(page)
  if (offered === null) return
  const { pointId, operationIds, hidden } = offered.way
  const { sessionId, sessions } = page
  const { restored } = await sessions.history.restoreTo({ sessionId, pointId, preview: true })
  expect(hidden).toBe(restored)
  const { covers, messages } = layOut(page)
  const revealed = withCovers(operationIds, page.store.get().messages, covers)
  const shown = said(layOut(page, revealed).messages).length - said(messages).length
  expect(shown).toBeGreaterThanOrEqual(hidden)
}

/** The versions that a message offers lead to messages, the current one to that which is read. */
async function checkVersions(page: WalkingPage): Promise<void> {
  const visible = new Set(ids(shownBy(page).messages))
  const known = new Set(ids(page.store.get().messages))
  for (const { messageId, versions, current } of await page.sessions.history.threadVersions(page.sessionId)) {
    expect(visible.has(messageId)).toBe(true)
    expect(versions.filter((one) => visible.has(one.messageId))).toEqual([versions[current]])
    expect(versions.every((one) => known.has(one.messageId))).toBe(true)
  }
}

/** Each stop of the rail is named with the messages that its preview holds, and previews what the page showed there. */
async function checkRail({ page, points }: Walk): Promise<void> {
  const { sessionId, sessions } = page
  for (const { pointId, messages, tokens } of await sessions.history.restorePoints({ sessionId })) {
    const preview = await sessions.history.preview({ sessionId, pointId, limit: 200 })
    expect(preview.messages).toBe(messages)
    expect(preview.contextWindow?.used).toBe(tokens)
    expect(said(preview.items)).toHaveLength(messages)
    const seen = points.get(pointId)
    if (seen === undefined) continue
    expect(preview.items).toEqual([...seen.messages.filter(isSummary), ...said(seen.messages)])
    expect(tokens).toBe(seen.used)
  }
}

/** One press leads to a state as it was, and another back to the present. */
async function checkRestoring({ page, points }: Walk): Promise<void> {
  for (const [pointId, seen] of [...points].slice(-2)) {
    const before = shownBy(page)
    page.commands.restoreTo(pointId)
    await page.settled()
    expect(shownBy(page)).toEqual(seen)
    await checkThread(page)
    await checkTray(page)
    const [made] = page.store.get().timeline
    page.commands.restoreTo(made?.id ?? '')
    await page.settled()
    expect(shownBy(page)).toEqual(before)
  }
}

const WEIGHTED: Act[0][] = [
  'ask',
  'ask',
  'ask',
  'edit',
  'edit',
  'regenerate',
  'rewind',
  'rewind',
  'rewind',
  'restoreFromTray',
  'undo',
  'restore',
  'restoreHidden',
  'version',
  'branch',
  'summarise',
  'summarise',
  'leaveOut',
  'bringBack',
]

test('UI-29 UI-39 UI-17 after any sequence of presses tray, dividers, versions, rail and meter agree with the store, and every point is restored', async () => {
  const acts = fc.array(fc.tuple(fc.constantFrom(...WEIGHTED), fc.nat({ max: 1_000 })), {
    minLength: 3,
    maxLength: 12,
  })
  const property = fc.asyncProperty(acts, async (script) => {
    await using page = await openWalkingPage()
    await page.settled()
    const walk: Walk = { page, points: new Map(), asked: 0 }
    await act(walk, ['ask', 0])
    for (const one of script) {
      await act(walk, one)
      await checkThread(page)
      await checkTray(page)
      await checkVersions(page)
    }
    await checkRail(walk)
    await checkRestoring(walk)
  })
  await fc.assert(property, { numRuns: SEQUENCES })
}, 1_200_000)
