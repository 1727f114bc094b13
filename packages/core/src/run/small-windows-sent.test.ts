import { expect, test } from 'vitest'
import { openWindowChat } from '../testing/window-chat.ts'

test.for([
  { bytes: 19_000, sent: 1 },
  { bytes: 40_000, sent: 0 },
])(
  'CP-12 a first message of $bytes bytes in a window of 8,192 tokens is sent where it fits, and else is named as too long',
  async ({ bytes, sent }) => {
    const model = { contextLimit: 8_192, maxOutput: null }
    await using chat = await openWindowChat(8_192, 'named', model, () => ({ text: 'An answer.' }))
    const { reason, error, steps } = await chat.ask('So what? '.repeat(Math.ceil(bytes / 9)))
    expect(steps).toBe(sent)
    if (sent > 0) expect(reason).toBe('stop')
    else
      expect(error).toMatchObject({ code: 'CONTEXT_EXHAUSTED', message: expect.stringContaining('too long') })
    expect(error?.message ?? '').not.toMatch(/branch|new chat|old tool results/)
    expect(chat.server.over).toBe(0)
  },
)
