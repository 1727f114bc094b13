import { openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { recallTool } from '../tool/recall.ts'

test('ME-3 a model finds with recall what its summary has left out, and where it was said', async () => {
  await using lab = await openHistoryLab({}, { agent: { tools: [recallTool] } })
  const { sessionId, messages } = await lab.turn(`The port is 5433. ${words(900)}`)
  await lab.turn('Two', sessionId)
  await lab.turn('Three', sessionId)
  await lab.sessions.history.compact(sessionId)
  lab.provider.script(
    reply({ toolCalls: [{ name: 'recall', input: { query: 'port' } }] }),
    reply({ toolCalls: [{ name: 'recall', input: { query: 'giraffe' } }] }),
    reply({ text: 'It is 5433.' }),
  )
  const { messages: after } = await lab.turn('Which port was it?', sessionId)
  const outputs = (after.at(-1)?.parts ?? []).flatMap((part) => ('output' in part ? [part.output] : []))
  const [question] = messages
  expect(outputs[0]).toMatchObject({
    text: expect.stringMatching(
      new RegExp(`^\\[user, .* UTC, message ${question?.id}\\]\nThe port is 5433\\.`),
    ),
    data: { messages: [{ sessionId, messageId: question?.id }] },
  })
  expect(outputs[1]).toMatchObject({ text: 'No summarised message holds these words.' })
})
