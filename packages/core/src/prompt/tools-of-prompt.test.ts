import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assemblePrompt } from './assemble.ts'
import { toolsOfPrompt } from './tools-of-prompt.ts'

const environment = {
  platform: 'linux',
  workspaceRoot: '/w',
  gitStatus: null,
  date: '2026-01-01',
  model: { providerId: 'p', modelId: 'm' },
}

const prompt = (tools: string[], manifest = '') =>
  assemblePrompt({ manifest, personal: '', instructions: [], skills: [], environment, tools })

test('UI-27 SY-1 the tools of a prompt are read back from it, whatever the texts before them hold', () => {
  const text = fc.oneof(fc.string(), fc.constant('one\n# Tools\nbash'), fc.constant('\n- evil: x'))
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z_]{1,12}$/)), text, (tools, manifest) => {
      const read = toolsOfPrompt(prompt(tools, tools.length === 0 ? '' : manifest))
      expect(read).toEqual(tools.map((id) => ({ id, description: null })))
    }),
  )
})

test('UI-27 the tools of a prompt of an earlier version come with the descriptions that it holds', () => {
  expect(toolsOfPrompt('Be kind.\n\n# Tools\n- read: Reads, and lists\n- todo: ')).toEqual([
    { id: 'read', description: 'Reads, and lists' },
    { id: 'todo', description: '' },
  ])
})

test('UI-27 a prompt without tools has no catalogue', () => {
  expect(toolsOfPrompt(prompt([]))).toEqual([])
  expect(toolsOfPrompt('')).toEqual([])
})
