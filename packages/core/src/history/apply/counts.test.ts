import { openHistoryLab, openTalk } from '@palimpsest/testing/history-lab.ts'
import { expect, test } from 'vitest'

type Lab = Awaited<ReturnType<typeof openHistoryLab>>

const preview = (lab: Lab, sessionId: string, pointId: string) =>
  lab.sessions.history.restoreTo({ sessionId, pointId, preview: true })

test('UI-29 an entry counts what a return to the state before it shows, not what later changes have shown and hidden', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two'])
  await history.rewind({ sessionId, messageId: ids[0] ?? '' })
  await lab.turn('Another one', sessionId)
  const edited = (await lab.visible(sessionId))[0]?.id ?? ''
  // To the former questions: the first shows what the second hides.
  const { operationId: first } = await history.rewind({ sessionId, messageId: ids[1] ?? '' })
  const { operationId: second } = await history.rewind({ sessionId, messageId: edited })
  const timeline = await history.timeline(sessionId)
  const [latest, before] = timeline
  expect(latest).toMatchObject({ id: second, hiddenCount: 3, shownCount: 1, restoresCount: 3 })
  expect(before).toMatchObject({ id: first, hiddenCount: 2, shownCount: 3, restoresCount: 1 })
  for (const { id, restoresCount } of timeline)
    expect((await preview(lab, sessionId, id)).restored).toBe(restoresCount)
})

test('UI-29 a summary is no message: an edit behind it, an undone one and a second one count what was said', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three', 'Four'])
  expect(await history.compact(sessionId)).toMatchObject({ hidden: 4, restored: 0 })
  // Into what was summarised: the two questions behind it and their replies go, and the summary.
  const rewound = await history.rewind({ sessionId, messageId: ids[1] ?? '' })
  expect(rewound).toMatchObject({ hidden: 4, restored: 3 })
  const [entry] = await history.timeline(sessionId)
  expect(entry).toMatchObject({ hiddenCount: 4, shownCount: 3, restoresCount: 4 })
  expect((await preview(lab, sessionId, rewound.operationId)).restored).toBe(4)
  expect(await history.unrewind({ sessionId })).toMatchObject({ hidden: 3, restored: 4 })

  await lab.turn('Five', sessionId)
  expect(await history.compact(sessionId)).toMatchObject({ hidden: 2 })
  expect((await history.timeline(sessionId))[0]).toMatchObject({ kind: 'compaction', hiddenCount: 2 })
})

test('UI-29 a preview counts as its point does, and has a summary first, although the tail it was written for has gone', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId, ids } = await openTalk(lab, ['One', 'Two', 'Three', 'Four'])
  await history.compact(sessionId)
  await history.rewind({ sessionId, messageId: ids[2] ?? '' })
  await lab.turn('Another three', sessionId)
  await lab.turn('Five', sessionId)
  await lab.turn('Six', sessionId)
  const then = await lab.visible(sessionId)
  await history.compact(sessionId)
  for (const { pointId, messages } of await history.restorePoints({ sessionId })) {
    const page = await history.preview({ sessionId, pointId, limit: 200 })
    const said = page.items.filter(({ metadata }) => !metadata?.summary)
    expect([page.messages, said.length]).toEqual([messages, messages])
    expect(
      page.items.slice(0, page.items.length - said.length).every(({ metadata }) => metadata?.summary),
    ).toBe(true)
  }
  const [latest] = await history.restorePoints({ sessionId })
  const pages: (typeof then)[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await history.preview({
      sessionId,
      pointId: latest?.pointId ?? '',
      limit: 2,
      ...(cursor !== undefined && { cursor }),
    })
    pages.unshift(page.items)
    cursor = page.nextCursor
  }
  const summaries = then.filter(({ metadata }) => metadata?.summary)
  expect(pages.flat()).toEqual([...summaries, ...then.filter((message) => !summaries.includes(message))])
})

test('UI-29 the entry of a summary names the stretch of messages that it replaces', async () => {
  await using lab = await openHistoryLab()
  const { history } = lab.sessions
  const { sessionId } = await openTalk(lab, ['One', 'Two', 'Three', 'Four'])
  const all = (await lab.visible(sessionId)).map(({ id }) => id)
  await history.compact(sessionId)
  expect((await history.timeline(sessionId))[0]?.covers).toEqual([[all[0], all[3]]])
  await history.rewind({ sessionId, messageId: all[0] ?? '' })
  const [rewind, compaction] = await history.timeline(sessionId)
  expect(rewind).not.toHaveProperty('covers')
  expect(compaction?.covers).toEqual([[all[0], all[3]]])
})
