import { expect, test } from 'vitest'
import { providerConfigSchema } from './provider-config.ts'

const EXAMPLE = {
  lab: {
    kind: 'openai-compatible',
    baseURL: 'http://127.0.0.1:8080/v1',
    apiKey: { env: 'LAB_KEY' },
    anyModel: true,
    models: { m1: { contextLimit: 8192, maxOutput: 1024, inputPrice: 0.5, outputPrice: 1.5, cheap: true } },
  },
}

function complaints(config: unknown): string[] {
  const { error } = providerConfigSchema.safeParse(config)
  return error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
}

const lab = (changes: object) => ({ lab: { ...EXAMPLE.lab, ...changes } })

test('CF-2 the documented example is accepted unchanged', () => {
  expect(providerConfigSchema.parse(EXAMPLE)).toEqual(EXAMPLE)
})

test('CF-1 an error names the key and what it takes', () => {
  expect(complaints(lab({ kind: 'openia' }))).toEqual([
    'lab.kind: takes one of openai, openai-compatible, anthropic, google',
  ])
  expect(complaints(lab({ baseURL: 'localhost' }))[0]).toMatch(/^lab\.baseURL: takes an http or https URL/)
  expect(complaints(lab({ baseURL: undefined }))[0]).toMatch(/^lab\.baseURL: is needed/)
  expect(complaints(lab({ apiKey: 'sk-secret' }))[0]).toMatch(/^lab\.apiKey: takes \{"env": "NAME"\}/)
  expect(complaints(lab({ api: 'chat' }))).toEqual(['lab.api: goes with kind openai only'])
  expect(complaints(lab({ models: { m1: { contextLimit: '8k' } } }))).toEqual([
    'lab.models.m1.contextLimit: takes a whole number of tokens',
  ])
  expect(complaints(lab({ modles: {} }))[0]).toContain('modles')
})

test('CF-1 a key written into the file is refused without being repeated', () => {
  expect(complaints(lab({ apiKey: 'sk-secret' })).join()).not.toContain('sk-secret')
})

test('CF-2 ids that providers find for themselves are not taken', () => {
  for (const id of ['demo', 'ollama', 'lmstudio', 'llamacpp', 'Lab', '']) {
    expect(complaints({ [id]: EXAMPLE.lab }), id).not.toEqual([])
  }
  expect(complaints({ demo: EXAMPLE.lab })[0]).toMatch(/^demo: takes any name but demo/)
})
