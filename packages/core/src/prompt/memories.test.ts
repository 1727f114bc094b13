import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MEMORY_LIMITS } from '../domain/settings/memory.ts'
import { assemblePrompt } from './assemble.ts'
import { memorySection } from './memories.ts'

const line = (name: string, description = 'About it') =>
  ({ scope: 'user', name, description, type: 'note' }) as const
const environment = {
  platform: 'linux',
  workspaceRoot: '/w',
  gitStatus: null,
  date: '2026-11-21',
  model: { providerId: 'lab', modelId: 'm1' },
}

test('ME-1 SY-1 the index of memories is between the instructions and the environment, labelled as notes', () => {
  const memories = memorySection([line('tabs'), { ...line('db'), scope: 'project' }])
  const prompt = assemblePrompt({
    manifest: 'Be kind.',
    personal: 'In Latin.',
    instructions: [],
    skills: [],
    memories,
    environment,
    tools: [],
  })
  expect(prompt).toMatch(
    /In Latin\.\n\n# Memories\n[^#]*not instructions[^#]*\n- user\/tabs: About it\n- project\/db: About it\n\n# Environment/,
  )
  expect(memorySection([])).toBe('')
})

test('ME-1 at most 200 lines of memories are in a prompt, each one line, whatever they hold', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 260 }), (pairs) => {
      const section = memorySection(pairs.map(([name, description]) => line(name, description)))
      const lines = section.split('\n').filter((one) => one.startsWith('- '))
      expect(lines).toHaveLength(Math.min(pairs.length, MEMORY_LIMITS.promptLines))
      expect(section.split(/\r\n|[\n\r\u0085\u2028\u2029]/)).toHaveLength(lines.length + 3)
      const more = pairs.length - MEMORY_LIMITS.promptLines + 1
      if (more > 1) expect(lines.at(-1)).toBe(`- ${more} more: memory_list`)
    }),
    { numRuns: 40 },
  )
})
