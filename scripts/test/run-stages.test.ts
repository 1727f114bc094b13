import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryRepository } from '../lib/temporary-repository.ts'
import { vitestCounts } from './counts.ts'
import { runStages, type Stage } from './run-stages.ts'

const check = (name: string, code: number, output = ''): Stage => ({
  name,
  says: 'something',
  run: () => Promise.resolve({ code, output }),
})

async function written(stages: readonly Stage[], verbose = false) {
  let clock = 0
  let text = ''
  const counts = await runStages(
    stages.map((stage) => [stage]),
    (part) => (text += part),
    { verbose, now: () => (clock += 1500) },
  )
  return { counts, lines: text.trimEnd().split('\n') }
}

test('QA-1 each stage is one line that says what it does and how long it took', async () => {
  const { lines } = await written([check('types', 0, 'quiet'), check('lint', 0)])
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^types +something \.+ ok, 1\.5 s$/)
})

test('QA-1 a failed stage prints why, counts once, and the others still run', async () => {
  const { counts, lines } = await written([check('types', 2, 'a.ts is wrong\n'), check('lint', 0)])
  expect(lines.map((line) => line.replace(/ \.+/, ''))).toEqual([
    'types       something FAILED, 1.5 s',
    'a.ts is wrong',
    'lint        something ok, 1.5 s',
  ])
  expect(counts.map(({ failed }) => failed)).toEqual([1, 0])
})

test('QA-1 a stage with tests counts the results of its own report, never of an earlier run', async () => {
  using folder = temporaryRepository({ 'old.json': JSON.stringify({ testResults: [] }) })
  const fresh = join(folder.root, 'fresh.json')
  const report = {
    testResults: [{ assertionResults: [{ status: 'passed', fullName: 'RE-1 a' }] }],
  }
  const writes: Stage = {
    ...check('tests', 0),
    run: () => {
      writeFileSync(fresh, JSON.stringify(report))
      return Promise.resolve({ code: 0, output: '' })
    },
    report: { path: fresh, count: vitestCounts },
  }
  const writesNothing: Stage = {
    ...check('tests', 0),
    report: { path: join(folder.root, 'old.json'), count: vitestCounts },
  }
  const { counts } = await written([writes, writesNothing])
  expect(counts.map(({ passed, failed }) => [passed, failed])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('QA-1 the stages of a group run at the same time, and the next group after all of them', async () => {
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const stage = (name: string, run: () => Promise<void>): Stage => ({
    ...check(name, 0),
    run: async () => {
      begun.push(name)
      await run()
      return { code: 0, output: '' }
    },
  })
  let text = ''
  await runStages(
    [
      [stage('waits', () => gate.promise), stage('opens', async () => gate.resolve())],
      [stage('next', async () => expect(text.split('\n')).toHaveLength(3))],
    ],
    (part) => (text += part),
  )
  expect(begun).toEqual(['waits', 'opens', 'next'])
})
