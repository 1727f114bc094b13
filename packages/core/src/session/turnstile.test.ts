import { expect, test } from 'vitest'
import { systemClock } from '../live/system-clock.ts'
import { createTurnstile } from './turnstile.ts'

test('PF-3 those that start pass one by one, in order, and what the host has to do besides is done between them', async () => {
  const pass = createTurnstile(systemClock)
  const seen: string[] = []
  let over = false
  function stream() {
    seen.push('chunk')
    if (!over) setImmediate(stream)
  }
  const starts = ['first', 'second', 'third'].map((name) => pass().then(() => seen.push(name)))
  setImmediate(stream)
  await Promise.all(starts).finally(() => {
    over = true
  })
  expect(seen.filter((what) => what !== 'chunk')).toEqual(['first', 'second', 'third'])
  expect(seen.join(' ')).toMatch(/first( chunk)+ second( chunk)+ third/)
})

test('PF-3 one that starts alone passes in the next turn of the host, however many have passed before', async () => {
  let turns = 0
  const pass = createTurnstile({
    turn() {
      turns++
      return Promise.resolve()
    },
  })
  for (let start = 1; start <= 3; start++) {
    await pass()
    expect(turns).toBe(start)
  }
})
