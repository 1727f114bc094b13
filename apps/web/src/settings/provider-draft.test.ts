import {
  PROVIDER_ID,
  PROVIDER_KINDS,
  type ProviderView,
  RESERVED_PROVIDER_IDS,
} from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftOf, EMPTY_DRAFT, toInput } from './provider-draft.ts'

const idOf = (label: string, taken: string[] = [], baseURL = '') =>
  toInput({ ...EMPTY_DRAFT, label, baseURL }, null, taken).id

test('UI-31 a new provider has an id made from its name, else from its host or kind, that no other has', () => {
  expect(idOf('My Lab (2)')).toBe('my-lab-2')
  expect(idOf('Café', ['cafe', 'cafe-2'])).toBe('cafe-3')
  expect(idOf('', [], 'http://models.example:8080/v1')).toBe('models.example')
  expect(idOf('東京')).toBe('server')
  expect(idOf('x'.repeat(200)).length).toBeLessThanOrEqual(40)
  expect(toInput({ ...EMPTY_DRAFT, kind: 'anthropic' }, null, []).id).toBe('anthropic')
})

test('UI-31 a changed provider keeps its id, and its key unless another one is typed or it is removed', () => {
  const stored: ProviderView = {
    id: 'mine',
    kind: 'openai-compatible',
    label: 'Mine',
    baseURL: 'http://127.0.0.1:9/v1',
    hasKey: true,
    source: 'settings',
    models: ['a', 'b'],
    listed: ['c'],
    problem: null,
  }
  const draft = draftOf(stored)
  expect(toInput(draft, stored, ['mine'])).toEqual({
    id: 'mine',
    kind: 'openai-compatible',
    label: 'Mine',
    baseURL: 'http://127.0.0.1:9/v1',
    models: ['a', 'b'],
  })
  expect(toInput({ ...draft, apiKey: ' new ' }, stored, []).apiKey).toBe('new')
  expect(toInput({ ...draft, removeKey: true }, stored, []).apiKey).toBeNull()
  expect(toInput({ ...draft, ids: ' a,\n\n b ,c' }, stored, []).models).toEqual(['a', 'b', 'c'])
})

const typed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.stringMatching(/^[-._ A-Z0-9é東]{0,60}$/),
  fc.constantFrom('  ', '..', '-', '_x_', 'https://[::1]:8080/v1', 'HTTP://MODELS.Example/', 'a'.repeat(300)),
)
const anyDraft = fc.record({
  kind: fc.constantFrom(...PROVIDER_KINDS),
  label: typed,
  baseURL: typed,
  apiKey: typed,
  ids: typed,
  removeKey: fc.boolean(),
})

test('UI-31 whatever is typed, the id is one that the server takes', () => {
  fc.assert(
    fc.property(anyDraft, fc.integer({ min: 0, max: 12 }), (draft, others) => {
      const taken: string[] = []
      for (let count = 0; count <= others; count++) taken.push(toInput(draft, null, taken).id)
      expect(new Set(taken).size).toBe(taken.length)
      for (const id of taken) expect(id).toMatch(PROVIDER_ID)
    }),
  )
})

test('UI-31 a provider that is named like one of this machine has an id of its own', () => {
  for (const reserved of RESERVED_PROVIDER_IDS) {
    expect(idOf(reserved.toUpperCase())).toBe(`${reserved}-2`)
    expect(idOf(reserved, [`${reserved}-2`])).toBe(`${reserved}-3`)
  }
})

test('UI-31 whatever is typed, what is sent has no blanks around it and no empty model id', () => {
  fc.assert(
    fc.property(anyDraft, (draft) => {
      const { label, baseURL, apiKey, models } = toInput(draft, null, [])
      for (const text of [label, baseURL, apiKey, ...models]) expect(text ?? '').toBe((text ?? '').trim())
      expect(baseURL).not.toBe('')
      expect(apiKey).not.toBe('')
      expect(models).not.toContain('')
      expect(models.filter((id) => /[\n,]/.test(id))).toEqual([])
    }),
  )
})

test('UI-31 a key that is typed is sent although the stored one is to be removed; blanks are no key', () => {
  const keyOf = (apiKey: string, removeKey: boolean) =>
    toInput({ ...EMPTY_DRAFT, apiKey, removeKey }, null, [])
  expect(keyOf('sk-1', true)).toHaveProperty('apiKey', 'sk-1')
  expect(keyOf('  \t', true)).toHaveProperty('apiKey', null)
  expect(keyOf('  \t', false)).not.toHaveProperty('apiKey')
})

test('UI-31 the host of an address names only a server that has no name, and never a known provider', () => {
  const address = 'https://models.example/v1'
  expect(idOf('Mine', [], address)).toBe('mine')
  expect(idOf('   ', [], ` ${address} `)).toBe('models.example')
  expect(idOf('', [], 'not an address')).toBe('server')
  expect(idOf('', [], 'http://[::1]:9/v1')).toBe('1')
  for (const kind of ['openai', 'anthropic', 'google'] as const)
    expect(toInput({ ...EMPTY_DRAFT, kind, baseURL: address }, null, []).id).toBe(kind)
})

test('UI-31 a provider that is opened and saved without a change is sent as it is', () => {
  const id = fc.stringMatching(/^[a-z0-9][a-z0-9._:/-]{0,30}$/)
  const view = fc.record({
    id: fc.stringMatching(PROVIDER_ID),
    kind: fc.constantFrom(...PROVIDER_KINDS),
    label: fc.stringMatching(/^[A-Za-zé][A-Za-z é]{0,20}[A-Za-z]$/),
    baseURL: fc.option(fc.webUrl()),
    models: fc.array(id, { maxLength: 8 }),
  })
  fc.assert(
    fc.property(view, fc.boolean(), (fields, hasKey) => {
      const stored: ProviderView = { ...fields, hasKey, source: 'settings', listed: ['more'], problem: null }
      expect(toInput(draftOf(stored), stored, [stored.id])).toEqual(fields)
    }),
  )
})
