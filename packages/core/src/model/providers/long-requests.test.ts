import { expect, test } from 'vitest'
import { createProviderFetch } from './provider-fetch.ts'

/** The order in which a request with a body of that length is sent and other work has a turn. */
async function orderOf(characters: number): Promise<string[]> {
  const order: string[] = []
  const fetch = createProviderFetch({
    fetch: () => {
      order.push('sent')
      return Promise.resolve(new Response('{}'))
    },
    redact: (text) => text,
    clock: {
      elapsed: () => 0,
      turn: () => {
        order.push('turn')
        return Promise.resolve()
      },
    },
  })
  await fetch('http://127.0.0.1/v1', { method: 'POST', body: 'a'.repeat(characters) })
  return order
}

test('SX-10 other work has a turn between the writing of a long request and its sending, and not before a short one', async () => {
  expect(await orderOf(256 * 1024)).toEqual(['sent'])
  expect(await orderOf(256 * 1024 + 1)).toEqual(['turn', 'sent'])
})
