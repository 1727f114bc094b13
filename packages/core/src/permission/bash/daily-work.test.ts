import { DAILY_WORK } from '@palimpsest/testing/bash/daily-work.ts'
import { expect, test } from 'vitest'
import { judgeCommand } from './judge-command.ts'

/** Of these lines the policy asked about as many when its table alone decided, without anything that enforced it. */
const ASKED_BEFORE = 175

const asked = (enforced: boolean) =>
  DAILY_WORK.filter((line) => judgeCommand(line, { root: '/w/project', enforced }).verdict !== 'allow').length

test('PE-7 of a thousand lines of daily work no more are asked about with a sandbox than before there was a short list', () => {
  const [inSandbox, without] = [asked(true), asked(false)]
  const rate = (count: number) => `${count} of ${DAILY_WORK.length}`
  process.stdout.write(
    `bash policy: daily work asked about: ${rate(inSandbox)}, without a sandbox ${rate(without)}\n`,
  )
  expect(DAILY_WORK.length).toBeGreaterThan(950)
  expect(inSandbox).toBeLessThanOrEqual(ASKED_BEFORE)
  expect(without).toBeLessThan(DAILY_WORK.length / 2)
})
