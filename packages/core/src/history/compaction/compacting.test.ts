import {
  contentsOf,
  counted,
  measureAgain,
  openHistoryLab,
  textOf,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../tool/tool.ts'

const dig = defineTool({
  id: 'dig',
  description: 'Digs',
  input: z.object({ tokens: z.number() }),
  requires: () => [],
  execute: ({ tokens }) => Promise.resolve({ text: words(tokens, 'found') }),
})
const digs = (tokens: number) => ({ name: 'dig', input: { tokens } })

test('CP-1 CP-2 a full window is compacted before the next model call, and the run continues', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn(words(1_500, 'old'))
  await lab.turn(words(1_500, 'middle'), sessionId)
  expect(lab.summaries).toHaveLength(0)
  const { messages } = await lab.turn(`Go on. ${words(1_000, 'new')}`, sessionId)
  const [question, summary, answer] = messages
  expect(messages).toHaveLength(3)
  expect(question?.parts).toMatchObject([{ text: expect.stringContaining('Go on.') }])
  expect(summary).toMatchObject({
    role: 'assistant',
    metadata: { synthetic: true, summary: true },
    parts: [
      {
        type: 'data-compaction',
        data: { summary: 'Summary 1.', tail_start_id: question?.id, auto: true, summary_tokens: 3 },
      },
    ],
  })
  expect(answer?.metadata?.finishReason).toBe('stop')
  const [, envelope, last] = contentsOf(lab.steps.at(-1)?.body ?? {})
  expect(envelope).toMatch(/^user: <summary-of-earlier-conversation>\nSummary 1\.\n<\/summary-of/)
  expect(last).toContain('Go on.')
  expect(JSON.stringify(lab.steps.at(-1)?.body)).not.toContain('old old')
  const types = lab.events.map(({ type }) => type).filter((type) => type.startsWith('compaction'))
  expect(types).toEqual(['compaction-started', 'compaction-completed'])
})

test('CP-1 a compaction by request leaves the same artefact, and returns what it gained', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await lab.turn(words(1_000))
  await lab.turn('Two', sessionId)
  await lab.turn('Three', sessionId)
  const before = (await lab.session(sessionId)).contextWindow.used
  const result = await lab.sessions.history.compact(sessionId)
  expect(result).toMatchObject({ hidden: 2, restored: 0, beforeTokens: before })
  expect(result.afterTokens).toBeLessThan(before - 900)
  const { contextWindow, status } = await lab.session(sessionId)
  expect(contextWindow).toMatchObject({ used: result.afterTokens, estimated: true })
  expect(status.state).toBe('idle')
  const hidden = (await lab.everything(sessionId)).filter(({ metadata }) => metadata?.hiddenAt)
  expect(hidden.map(({ id }) => id)).toEqual(messages.map(({ id }) => id))
  expect(hidden.every(({ metadata }) => metadata?.hiddenBy === result.operationId)).toBe(true)
  const summary = (await lab.visible(sessionId)).at(-1)
  expect(summary?.parts[0]).toMatchObject({
    type: 'data-compaction',
    data: { auto: false, before_tokens: before, after_tokens: result.afterTokens },
  })
})

test('CP-2 a second compaction folds the first summary in', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn(words(1_000))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  for (const text of [words(600), 'Five', 'Six']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  expect(JSON.stringify(lab.summaries[1]?.body)).toContain(
    '<earlier-summary>\\nSummary 1.\\n</earlier-summary>',
  )
  await lab.turn('Seven', sessionId)
  const said = contentsOf(lab.steps.at(-1)?.body ?? {})
  expect(said.filter((line) => line.includes('summary-of-earlier-conversation'))).toEqual([
    expect.stringContaining('Summary 2.'),
  ])
  expect(said.slice(2).map((line) => line.slice(0, 12))).toEqual([
    'user: Five',
    'assistant: W',
    'user: Six',
    'assistant: W',
    'user: Seven',
  ])
})

test('CP-3 the tail is two turns as they were, and one where two take too much', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn(words(1_000))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  expect((await lab.visible(sessionId)).map(textOf)).toEqual(['Two', 'Well.', 'Three', 'Well.', ''])
  await lab.turn(words(1_100, 'many'), sessionId)
  await lab.turn('Five', sessionId)
  await lab.sessions.history.compact(sessionId)
  expect((await lab.visible(sessionId)).map(textOf)).toEqual(['Five', 'Well.', ''])
  expect((await lab.sessions.history.timeline(sessionId))[0]?.detail).toMatchObject({ shortened: true })
})

test('CP-3 a last turn that is too large alone keeps its question and final text, and drops its tool outputs', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [dig] } })
  const { sessionId } = await lab.turn(words(500))
  lab.provider.script(
    (request) => counted(request, { text: 'I dig.', toolCalls: [digs(1_200)] }),
    (request) => counted(request, { text: 'Nothing there.' }),
  )
  await lab.turn('Dig for me', sessionId)
  const { operationId } = await lab.sessions.history.compact(sessionId)
  const [first] = await lab.sessions.history.timeline(sessionId)
  expect(first).toMatchObject({ id: operationId, detail: { split: true, partIds: [expect.any(String)] } })
  const { contextTokens } = await measureAgain(lab, sessionId)
  expect((await lab.session(sessionId)).contextTokens).toBe(contextTokens)
  await lab.turn('And now?', sessionId)
  const said = contentsOf(lab.steps.at(-1)?.body ?? {}).join('\n')
  expect(said).toContain('Dig for me')
  expect(said).toContain('Nothing there.')
  expect(said).toMatch(/tool: <output pruned, 1\d\d\d tokens>/)
  await lab.sessions.history.uncompact(sessionId)
  await lab.turn('And then?', sessionId)
  expect(contentsOf(lab.steps.at(-1)?.body ?? {}).join('\n')).toContain('found found found')
})

test('CP-4 the summariser is the cheap model without tools, at low temperature, capped, with its own prompt, and its tokens are recorded apart', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [dig] } })
  const { sessionId } = await lab.turn(words(1_000, 'fact'))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  const { totalTokens } = await lab.session(sessionId)
  lab.summarise(() => reply({ text: 'Facts.', usage: { prompt_tokens: 700, completion_tokens: 30 } }))
  await lab.sessions.history.compact(sessionId)
  const { body } = lab.summaries[0] ?? {}
  expect(body).toMatchObject({ model: 'cheap', temperature: 0.2, max_tokens: 1_075 })
  expect(body).not.toHaveProperty('tools')
  const [instructions, request] = contentsOf(body ?? {})
  for (const heading of ['Goal', 'Constraints', 'Progress', 'Decisions', 'Files', 'Next steps'])
    expect(instructions).toContain(`## ${heading}`)
  expect(request).toContain('<user>\nfact fact')
  expect((await lab.session(sessionId)).totalTokens).toBe(totalTokens)
  expect((await lab.sessions.history.timeline(sessionId))[0]?.detail.summaryTokens).toBe(730)
  const { items } = await lab.sessions.list({ ephemeral: true })
  expect(items).toHaveLength(1)
})

test('CP-4 the cap of a summary is 4,096 tokens where the window is large', async () => {
  await using lab = await openHistoryLab()
  const { id: sessionId } = await lab.sessions.create({ model: { providerId: 'lab', modelId: 'large' } })
  for (const text of [words(500), 'Two', 'Three']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  expect(lab.summaries[0]?.body).toMatchObject({ max_tokens: 4_096 })
})

test('CP-7 one call restores what was summarised and hides the summary', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn(words(1_000))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  const before = await lab.visible(sessionId)
  const { contextWindow } = await lab.session(sessionId)
  await lab.sessions.history.compact(sessionId)
  expect(await lab.sessions.history.uncompact(sessionId)).toMatchObject({ hidden: 0, restored: 2 })
  expect(await lab.visible(sessionId)).toEqual(before)
  expect((await lab.session(sessionId)).contextWindow).toEqual(contextWindow)
  await expect(lab.sessions.history.uncompact(sessionId)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('CP-7 RW-4 a compaction can be undone after a rewind behind it was undone', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await lab.turn(words(1_000))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  const before = await lab.visible(sessionId)
  await lab.sessions.history.compact(sessionId)
  await lab.sessions.history.rewind({ sessionId, messageId: messages[0]?.id ?? '' })
  expect((await lab.visible(sessionId)).map(({ id }) => id)).toEqual([messages[0]?.id])
  await lab.sessions.history.unrewind({ sessionId })
  await lab.sessions.history.uncompact(sessionId)
  expect(await lab.visible(sessionId)).toEqual(before)
})

test('CP-7 a branch keeps its summary: the summarised messages are in the parent', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn(words(1_000))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  const last = (await lab.visible(sessionId)).findLast(({ metadata }) => !metadata?.summary)
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: last?.id ?? '' })
  await expect(lab.sessions.history.uncompact(branch.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await lab.turn('Four', branch.id)
  expect(contentsOf(lab.steps.at(-1)?.body ?? {})[1]).toContain('Summary 1.')
})
