import fc from 'fast-check'
import { expect, test } from 'vitest'
import { generatedCount } from '../testing/attack/generated-count.ts'
import { MARK, type ToolScript, toolScript } from '../testing/attack/tool-script.ts'
import { openToolAttack } from './tool-attack.ts'

const SCRIPTS = generatedCount('GENERATED_TOOL_SCRIPTS', { short: 12, long: 1_000 })

/** Scripts that have failed once. */
const FOUND: ToolScript[] = ['\ud800', 'a\u0000b'].map((id) => ({
  mode: 'ask',
  steps: [{ calls: [{ id, name: 'bash', args: `{"command":"touch ${MARK}"}` }], interleaved: false }],
  replies: ['once'],
  abortAfter: null,
}))

test('RL-7 PE-4 TO-5 calls of any tools with any arguments end, each chat goes on, and nothing is written unasked or read outside', {
  timeout: 3_600_000,
}, async () => {
  await using attack = await openToolAttack()
  let played = 0
  await fc.assert(
    fc.asyncProperty(toolScript, async (script) => {
      expect(await attack.play(`s${++played}`, script)).toEqual([])
    }),
    { numRuns: SCRIPTS, examples: FOUND.map((script) => [script]) },
  )
})
