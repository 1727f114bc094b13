import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assemblePrompt, type PromptParts } from './assemble.ts'
import { digestOf } from './digest.ts'

const environment = fc.record({
  platform: fc.string(),
  workspaceRoot: fc.string(),
  gitStatus: fc.option(fc.string()),
  date: fc.constant('2026-11-21'),
  model: fc.record({ providerId: fc.string(), modelId: fc.string() }),
})
const tools = fc.array(fc.record({ id: fc.string(), description: fc.string() }))
const parts: fc.Arbitrary<PromptParts> = fc.record({ manifest: fc.string(), environment, tools })

test('SY-1 equal parts give equal bytes', () => {
  fc.assert(
    fc.property(parts, (given) => {
      expect(assemblePrompt(structuredClone(given))).toBe(assemblePrompt(given))
    }),
  )
})

test('SY-1 the sections are in their order: manifest, environment, tools', () => {
  const prompt = assemblePrompt({
    manifest: '\nBe kind.\n',
    environment: {
      platform: 'linux',
      workspaceRoot: '/w',
      gitStatus: null,
      date: '2026-11-21',
      model: { providerId: 'lab', modelId: 'm1', variant: 'high' },
    },
    tools: [{ id: 'read', description: 'Reads' }],
  })
  expect(prompt).toBe(
    'Be kind.\n\n# Environment\nPlatform: linux\nWorkspace: /w\nDate: 2026-11-21\nModel: lab/m1 (high)\n' +
      'Git: not a repository\n\n# Tools\n- read: Reads',
  )
})

test('SY-2 the digest of a prompt is its SHA-256', async () => {
  expect(await digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
