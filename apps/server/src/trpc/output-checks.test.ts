import { initTRPC } from '@trpc/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { dropOutputChecks } from './output-checks.ts'

test('PF-12 without the checks of outputs a call costs no parsing of its answer, and its input is checked as before', async () => {
  let parsed = 0
  const counted = z.number().refine(() => {
    parsed += 1
    return true
  })
  const { router, procedure, createCallerFactory } = initTRPC.create()
  const app = router({
    inner: router({
      double: procedure
        .input(z.object({ n: z.number() }))
        .output(counted)
        .query(({ input }) => input.n * 2),
    }),
  })
  const caller = createCallerFactory(app)({})
  expect(await caller.inner.double({ n: 2 })).toBe(4)
  expect(parsed).toBe(1)
  dropOutputChecks(app)
  expect(await caller.inner.double({ n: 3 })).toBe(6)
  expect(parsed).toBe(1)
  const wrong = { n: 'three' } as unknown as { n: number }
  await expect(caller.inner.double(wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
