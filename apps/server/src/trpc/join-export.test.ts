import { expect, test } from 'vitest'
import { SERVER_LIMITS } from '../limits.ts'
import { joinExport } from './join-export.ts'

const MB = 'x'.repeat(1024 * 1024)

/** An export of any number of pieces, and how many of them were read. */
function source(count: number) {
  const seen = { read: 0, closed: false }
  async function* pieces() {
    try {
      while (seen.read < count) {
        seen.read += 1
        yield await Promise.resolve(MB)
      }
    } finally {
      seen.closed = true
    }
  }
  return { seen, pieces: pieces() }
}

test('AP-4 RL-7 an export that is too long for one answer is refused before all of it is read', async () => {
  const most = SERVER_LIMITS.exportCharacters / MB.length
  expect(await joinExport(source(most).pieces)).toHaveLength(SERVER_LIMITS.exportCharacters)
  const { seen, pieces } = source(1_000)
  await expect(joinExport(pieces)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'sessionId',
    message: expect.stringContaining('/api/v1/sessions/<id>/export'),
  })
  expect(seen).toEqual({ read: most + 1, closed: true })
})
