import { expect, test } from 'vitest'
import { createProviderFetch } from './provider-fetch.ts'

const PIECE = 256 * 1024

/** The order in which a request with that body is sent and other work has a turn, and what is sent. */
async function sentOf(body: string) {
  const order: string[] = []
  const sent: (BodyInit | null | undefined)[] = []
  const fetch = createProviderFetch({
    fetch: (_, init) => {
      order.push('sent')
      sent.push(init?.body)
      return Promise.resolve(new Response('{}'))
    },
    redact: (text) => text,
    clock: {
      elapsed: () => 0,
      yieldToLoop: () => {
        order.push('turn')
        return Promise.resolve()
      },
    },
  })
  await fetch('http://127.0.0.1/v1', { method: 'POST', body })
  return { order, body: sent[0] }
}

test('SX-10 a short request is sent as it is, without a turn', async () => {
  const body = 'a'.repeat(PIECE)
  expect(await sentOf(body)).toEqual({ order: ['sent'], body })
})

test('SX-10 a long request is encoded 256 kB at a time, with a turn for other work before each piece', async () => {
  expect((await sentOf('a'.repeat(PIECE + 1))).order).toEqual(['turn', 'turn', 'sent'])
  expect((await sentOf('a'.repeat(3 * PIECE))).order).toEqual(['turn', 'turn', 'turn', 'sent'])
})

test('SX-10 the pieces of a long request are its bytes, also where a character of two halves or three bytes is at their edge', async () => {
  for (const before of [PIECE - 2, PIECE - 1, PIECE]) {
    const body = `${'a'.repeat(before)}😀€é${'b'.repeat(PIECE)}`
    const { body: sent } = await sentOf(body)
    expect(new TextDecoder().decode(sent as Uint8Array)).toBe(body)
  }
})

test('SX-10 a long request for a stream is recognised wherever the package writes that', async () => {
  const long = JSON.stringify({ text: 'a'.repeat(PIECE), quoted: '"stream":true' })
  for (const [body, encoding] of [
    [long, null],
    [long.replace('{', '{"stream":true,'), 'identity'],
    [`${long.slice(0, -1)},"stream":true}`, 'identity'],
  ] as const) {
    const asked: (string | null)[] = []
    const fetch = createProviderFetch({
      fetch: (_, init) => {
        asked.push(new Headers(init?.headers).get('accept-encoding'))
        return Promise.resolve(new Response('{}'))
      },
      redact: (text) => text,
      clock: { elapsed: () => 0, yieldToLoop: () => Promise.resolve() },
    })
    await fetch('http://127.0.0.1/v1', { method: 'POST', body })
    expect(asked).toEqual([encoding])
  }
})
