import { createClient, readRun } from '@palimpsest/client'

await using client = createClient({ url: process.env['PALIMPSEST_URL'] ?? 'http://localhost:3000' })
const { id: sessionId } = await client.session.create.mutate({ title: 'Quickstart' })
const say = (text: string) =>
  client.session.send.mutate({ sessionId, message: { parts: [{ type: 'text', text }] } })

const { messageId, runId } = await say('What can you show me?')
for await (const chunk of readRun(client, { sessionId, runId })) {
  if (chunk.type === 'text-delta') process.stdout.write(chunk.delta)
}

await say('Now write something very long.')
const { aborted } = await client.session.abort.mutate({ sessionId })
process.stdout.write(`\n\nStopped the second reply: ${aborted}\n`)

const branch = await client.session.branch.mutate({ sessionId, fromMessageId: messageId })
process.stdout.write(`Went back to the first question in a branch: ${branch.id}\n`)
