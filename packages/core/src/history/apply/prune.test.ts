import { findTool } from '@palimpsest/testing/find-tool.ts'
import {
  contentsOf,
  counted,
  type HistoryLab,
  measureAgain,
  openHistoryLab,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

const ROOMY = { providerId: 'lab', modelId: 'roomy' }

/** A session whose turns each find something of these sizes. */
async function openFinds(lab: HistoryLab, sizes: number[]) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Finds', model: ROOMY })
  for (const tokens of sizes) {
    lab.provider.script(
      (request) => counted(request, { toolCalls: [{ name: 'find', input: { tokens } }] }),
      (request) => counted(request, { text: 'Found.' }),
    )
    await lab.turn('Find it', sessionId)
  }
  return sessionId
}

const sentResults = (lab: HistoryLab) =>
  contentsOf(lab.steps.at(-1)?.body ?? {}).filter((line) => line.startsWith('tool: '))

test('PR-1 by request old outputs become stubs for the model, stay stored, and are restored by one call', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [findTool] } })
  const sessionId = await openFinds(lab, [11_000, 11_000, 11_000, 11_000, 11_000, 11_000, 11_000])
  const before = await lab.session(sessionId)
  const parts = (await lab.everything(sessionId)).map((message) => message.parts)
  const published = lab.event((event) => event.type === 'message-changed')
  const pruned = await lab.sessions.history.prune(sessionId)
  expect(await published).toMatchObject({ message: { metadata: { prunedParts: [1] } } })
  expect(pruned).toMatchObject({ operationId: expect.stringMatching(/^op_/), parts: 3 })
  const { contextWindow } = await lab.session(sessionId)
  expect(contextWindow.estimated).toBe(true)
  expect(before.contextTokens - pruned.tokens).toBe(contextWindow.used)
  expect(await lab.session(sessionId)).toMatchObject({
    contextTokens: (await measureAgain(lab, sessionId)).contextTokens,
  })
  expect((await lab.everything(sessionId)).map((message) => message.parts)).toEqual(parts)
  expect(await lab.sessions.history.prune(sessionId)).toEqual({ operationId: null, parts: 0, tokens: 0 })

  await lab.turn('And now?', sessionId)
  expect(sentResults(lab).map((line) => /^tool: <output pruned, 1\d{4} tokens>$/.test(line))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(await lab.sessions.history.unprune(sessionId)).toMatchObject({ parts: 3 })
  expect(await lab.session(sessionId)).toMatchObject({
    contextTokens: (await measureAgain(lab, sessionId)).contextTokens,
  })
  await lab.turn('And then?', sessionId)
  expect(sentResults(lab).join()).not.toContain('output pruned')
})

test('PR-3 a very large output keeps its head and its tail', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [findTool] } })
  const sessionId = await openFinds(lab, [15_500, 15_500, 15_500, 15_500, 15_500])
  expect(await lab.sessions.history.prune(sessionId)).toMatchObject({ parts: 2 })
  await lab.turn('And now?', sessionId)
  const [first = ''] = sentResults(lab)
  expect(first).toMatch(/^tool: needle .*\n\n<\d+ characters pruned>\n\n.*needle$/s)
  expect(first.length).toBeLessThan(3_100)
})

test('CP-10 a summary that was written beforehand is used, and no other is requested', async () => {
  await using lab = await openHistoryLab({}, { compaction: { precompute: true } })
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk' })
  const asked = Promise.withResolvers<void>()
  lab.summarise(() => {
    asked.resolve()
    return reply({ text: 'Summary 1.' })
  })
  const used = async () => (await lab.session(sessionId)).contextWindow
  for (let window = await used(); window.used < 0.8 * (window.usable ?? 0); window = await used())
    await lab.turn(words(400), sessionId)
  await asked.promise
  expect((await lab.visible(sessionId)).some(({ metadata }) => metadata?.summary)).toBe(false)
  await lab.sessions.history.compact(sessionId)
  expect(lab.summaries).toHaveLength(1)
  const summary = (await lab.visible(sessionId)).find(({ metadata }) => metadata?.summary)
  expect(summary?.parts[0]).toMatchObject({ data: { summary: 'Summary 1.' } })
})
