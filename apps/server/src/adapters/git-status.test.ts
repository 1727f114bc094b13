import { createFakeClock } from '@palimpsest/core/testing'
import { expect, test } from 'vitest'
import { createGitStatus } from './git-status.ts'

function countingReader() {
  const asked: string[] = []
  const read = (root: string) => Promise.resolve(`${root} ${asked.push(root)}`)
  return { asked, read }
}

/** Lets what a passing clock has started come to its end. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('SY-1 the git status of a place in use is read ahead, and asking waits for nothing', async () => {
  const clock = createFakeClock()
  const { asked, read } = countingReader()
  const status = createGitStatus({ clock }, read)
  expect(await Promise.all([status('/a'), status('/a'), status('/b')])).toEqual(['/a 1', '/a 1', '/b 2'])
  clock.advance(30_000)
  await settled()
  expect(asked).toHaveLength(4)
  expect(await status('/a')).toBe('/a 3')
  expect(asked).toHaveLength(4)
})

test('SY-1 a place that nobody asks for any more is not watched', async () => {
  const clock = createFakeClock()
  const { asked, read } = countingReader()
  const status = createGitStatus({ clock }, read)
  await status('/a')
  for (let passed = 0; passed < 60; passed++) {
    clock.advance(30_000)
    await settled()
  }
  expect(asked.length).toBeLessThan(25)
  expect(clock.pending).toBe(0)
  expect(await status('/a')).toBe(`/a ${asked.length}`)
})
