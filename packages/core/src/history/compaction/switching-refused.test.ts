import { type HistoryLab, openHistoryLab, textOf, trueMeter, words } from '@palimpsest/testing/history-lab.ts'
import { failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

const model = (modelId: string) => ({ providerId: 'lab', modelId })

/** A conversation with a roomy model, with questions of about so many tokens. */
async function openTalk(lab: HistoryLab, tokens: number[]) {
  const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model: model('roomy') })
  for (const [turn, size] of tokens.entries()) await lab.turn(words(size, `turn${turn}`), sessionId)
  const messages = await lab.everything(sessionId)
  return { sessionId, messages, asked: messages.filter(({ role }) => role === 'user').map(({ id }) => id) }
}

/** Everything that a refused switch must leave as it was. */
async function stateOf(lab: HistoryLab, sessionId: string) {
  return {
    view: await lab.session(sessionId),
    messages: await lab.everything(sessionId),
    timeline: await lab.sessions.history.timeline(sessionId),
    queue: await lab.sessions.queue.list(sessionId),
  }
}

const send = (lab: HistoryLab, sessionId: string, modelId: string, over: object = {}) =>
  lab.sessions.send({
    sessionId,
    message: { parts: [{ type: 'text', text: 'Four' }] },
    model: model(modelId),
    ...over,
  })

test('MO-3 a switch that needs a summary which no model can write fails and changes nothing', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [800, 800, 800])
  const before = await stateOf(lab, sessionId)
  lab.summarise(() => failure(401, 'Who are you?'))
  await expect(send(lab, sessionId, 'small')).rejects.toMatchObject({
    code: expect.stringMatching(/^(MODEL_TOO_SMALL|COMPACTION_FAILED)$/),
  })
  expect(await stateOf(lab, sessionId)).toEqual(before)
  // And the conversation continues with its model.
  await lab.turn('Four', sessionId)
  expect((await lab.session(sessionId)).model).toEqual(model('roomy'))
})

test('MO-3 a summary that would still not fit is not kept: the switch fails, and nothing has changed', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [800, 800, 800])
  const before = await stateOf(lab, sessionId)
  lab.summarise(() => reply({ text: words(2_100, 'much') }))
  await expect(send(lab, sessionId, 'small')).rejects.toMatchObject({ code: 'MODEL_TOO_SMALL' })
  expect(await stateOf(lab, sessionId)).toEqual(before)
  expect(lab.summaries).toHaveLength(1)
})

test('MO-3 an edited message with a model that is too small for what is left changes nothing', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, asked } = await openTalk(lab, [1_600, 1_600, 1_600])
  const before = await stateOf(lab, sessionId)
  const edit = send(lab, sessionId, 'tiny', { replaceMessageId: asked[2] })
  await expect(edit).rejects.toMatchObject({ code: 'MODEL_TOO_SMALL', field: 'model' })
  expect(await stateOf(lab, sessionId)).toEqual(before)
})

test('MO-3 a new reply by a model that cannot hold what it answers is refused; one to an earlier message is not', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, asked } = await openTalk(lab, [100, 600, 600])
  const before = await stateOf(lab, sessionId)
  const again = (messageId = '') => lab.sessions.resend({ sessionId, messageId, model: model('tiny') })
  await expect(again(asked[2])).rejects.toMatchObject({ code: 'MODEL_TOO_SMALL' })
  expect(await stateOf(lab, sessionId)).toEqual(before)
  const { runId } = await again(asked[0])
  await lab.chunksOf(sessionId, runId)
  const { messages } = await stateOf(lab, sessionId)
  expect(messages.at(-1)?.metadata).toMatchObject({ model: model('tiny'), finishReason: 'stop' })
})

test('MO-3 the suggested branch from an earlier message with the model that was too small works', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await openTalk(lab, [100, 1_500, 1_500])
  await expect(send(lab, sessionId, 'tiny')).rejects.toMatchObject({
    message: expect.stringContaining('Branch'),
  })
  const first = messages[1]?.id ?? ''
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: first, model: model('tiny') })
  await trueMeter(lab, branch.id)
  expect(await lab.sessions.history.fit({ sessionId: branch.id, model: model('tiny') })).toMatchObject({
    window: { limit: 700 },
  })
  expect((await lab.visible(branch.id)).map(textOf)).toEqual(messages.slice(0, 2).map(textOf))
})

test('MO-3 MO-4 a model of unknown size accepts any conversation, and its window is unknown', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [2_000, 2_000, 2_000])
  const fit = await lab.sessions.history.fit({ sessionId, model: model('unknown') })
  expect(fit).toMatchObject({ outcome: 'fits', window: { limit: null, usable: null } })
  const { runId = '' } = await send(lab, sessionId, 'unknown')
  await lab.chunksOf(sessionId, runId)
  expect(await lab.session(sessionId)).toMatchObject({ model: model('unknown'), status: { state: 'idle' } })
  expect(lab.summaries).toEqual([])
})

test('MO-3 asking what would fit changes nothing, however often, and names the same outcome as the switch', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await openTalk(lab, [800, 800, 800])
  const before = await lab.session(sessionId)
  const outcomes = await Promise.all(
    ['roomy', 'm1', 'small', 'tiny', 'unknown'].map(async (modelId) => {
      const { outcome } = await lab.sessions.history.fit({ sessionId, model: model(modelId) })
      return outcome
    }),
  )
  expect(outcomes).toEqual(['fits', 'fits', 'compacts', 'too-small', 'fits'])
  expect(await lab.session(sessionId)).toEqual(before)
  const { runId = '' } = await send(lab, sessionId, 'small')
  await lab.chunksOf(sessionId, runId)
  expect(lab.summaries).toHaveLength(1)
  await trueMeter(lab, sessionId)
})
