import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab } from '@palimpsest/testing/stream-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wellFormedFetch } from './well-formed-fetch.ts'

/** The body with which a request leaves. */
async function sent(body: string): Promise<string> {
  const bodies: unknown[] = []
  await wellFormedFetch((_, init) => {
    bodies.push(init?.body)
    return Promise.resolve(new Response())
  })('http://127.0.0.1', { method: 'POST', body })
  return String(bodies[0])
}

const piece = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud83d', '\ude00', '😀', '\\ud83d', '\\\\ud83d', '\\', '"', '\n', '\\u', 'ud83d'),
)

test('RL-3 a request is sent unchanged, without lone surrogates', async () => {
  const said = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(said, async (text) => {
      const body = JSON.stringify({ [text]: [text, { text }] })
      const whole = text.toWellFormed()
      expect(JSON.parse(await sent(body))).toEqual({ [whole]: [whole, { text: whole }] })
      if (text.isWellFormed()) expect(await sent(body)).toBe(body)
    }),
  )
})

test('RL-3 a message that ends in half a character is kept as it was, and its provider can read it', async () => {
  await using lab = await openFormatLab('openai-chat')
  lab.provider.script(reply({ text: 'Half of what?' }))
  const { id } = await lab.sessions.create({ title: 'Streams' })
  const { messages } = await lab.turn('so \ud83d', id)
  expect(messages[0]?.parts).toEqual([{ type: 'text', text: 'so \ud83d' }])
  expect(JSON.stringify(lab.provider.requests[0]?.body)).toContain('so \ufffd')
})
