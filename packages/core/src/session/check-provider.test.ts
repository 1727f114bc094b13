import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LIMITS } from '../domain/limits.ts'
import type { ProviderView } from '../domain/model/provider.ts'
import type { ProviderRow } from '../ports/settings.ts'
import { checkAddress, checkKeyIsThere, checkNames, checkProviderId } from './check-provider.ts'

const compatible = 'openai-compatible' as const
const baseURL = 'http://127.0.0.1:8080/v1'
const named = (over: { label?: string; models?: string[] }) =>
  checkNames({ id: 'a', kind: compatible, ...over })
const addressOf = (given: string) => checkAddress({ kind: compatible, baseURL: given }).baseURL

function preset(source: ProviderView['source']): ProviderView {
  const bare = { label: 'Set', baseURL: null, hasKey: true, models: [], listed: [], problem: null }
  return { ...bare, id: 'set', kind: 'openai', source }
}

test.for(['a', '0', 'my-server', 'a.b_c-9', 'a'.repeat(40)])(
  'UI-31 a person may enter a provider %s',
  (id) => {
    expect(() => checkProviderId(id, [])).not.toThrow()
  },
)

test.for(['', 'a'.repeat(41), '-a', '.a', '_a', 'A', 'a b', 'a/b', 'a\n', 'é', '__proto__', '../a'])(
  'UI-31 an id of another form is refused by its field: %j',
  (id) => {
    expect(() => checkProviderId(id, [])).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', field: 'id', message: expect.stringContaining('40') }),
    )
  },
)

test.for(['demo', 'ollama', 'lmstudio', 'llamacpp'])(
  'UI-31 the id %s is that of a built-in provider',
  (id) => {
    expect(() => checkProviderId(id, [])).toThrow(`${id} is the id of a built-in provider; take another one.`)
  },
)

test.for([
  ['environment', 'the environment'],
  ['file', 'the configuration file'],
] as const)('UI-31 an id that is set by %s is refused and says where', ([source, words]) => {
  expect(() => checkProviderId('set', [preset(source)])).toThrow(
    `The provider set is set by ${words} and cannot be changed here.`,
  )
  expect(() => checkProviderId('other', [preset(source)])).not.toThrow()
})

test.for([
  ['http://127.0.0.1:8080/v1/', 'http://127.0.0.1:8080/v1'],
  ['  https://Host.Example/v1// ', 'https://host.example/v1'],
  ['https://host.example', 'https://host.example'],
  ['https://host.example:443/a/../v1', 'https://host.example/v1'],
  ['http://[::1]:9/v1', 'http://[::1]:9/v1'],
  ['https://host.example/v1?', 'https://host.example/v1'],
])('UI-31 the address %j is kept as %s', ([given = '', kept]) => {
  expect(addressOf(given)).toBe(kept)
  expect(addressOf(addressOf(given) ?? '')).toBe(kept)
})

test.for([
  '',
  'host.example/v1',
  'ftp://host.example',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
  `https://host.example/${'x'.repeat(LIMITS.addressCharacters)}`,
])('UI-31 what is no address of http is refused: %s', (given) => {
  expect(() => addressOf(given)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', field: 'baseURL' }))
})

test.for([
  'https://me@host.example/v1',
  'https://me:canary-secret@host.example/v1',
  'https://:canary-secret@host.example/v1',
  'https://host.example/v1?key=canary-secret',
  'https://host.example/v1#canary-secret',
])('SX-5 an address with a credential is refused without repeating it: %s', (given) => {
  const refusal = expect.objectContaining({
    field: 'baseURL',
    message: expect.not.stringContaining('canary-secret'),
  })
  expect(() => addressOf(given)).toThrow(refusal)
})

test('UI-31 of the kinds only a compatible server needs an address', () => {
  for (const given of [{}, { baseURL: null }])
    expect(() => checkAddress({ kind: compatible, ...given })).toThrow(
      expect.objectContaining({ field: 'baseURL' }),
    )
  for (const kind of ['openai', 'anthropic', 'google'] as const)
    expect(checkAddress({ kind })).toEqual({ kind, baseURL: null })
})

test('MO-6 a key that is absent stays absent, one of null is removed, and blanks around one are left out', () => {
  expect(checkAddress({ kind: 'openai' })).not.toHaveProperty('apiKey')
  expect(checkAddress({ kind: 'openai', apiKey: null }).apiKey).toBeNull()
  expect(checkAddress({ kind: 'openai', apiKey: '\tsk-1\n' }).apiKey).toBe('sk-1')
})

test.for([
  '',
  '   ',
  'a\nb',
  'a\r\nx-admin: 1',
  'a\0b',
  'a\tb',
  'ключ',
  '\u2028',
  'x'.repeat(LIMITS.apiKeyCharacters + 1),
])('SX-5 a key that a header cannot carry is refused: %j', (apiKey) => {
  expect(() => checkAddress({ kind: 'openai', apiKey })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'apiKey' }),
  )
})

test('SX-5 every key that is taken is the value of a header, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (apiKey) => {
      let taken: string | null | undefined
      try {
        taken = checkAddress({ kind: 'openai', apiKey }).apiKey
      } catch {
        return
      }
      expect(new Headers({ 'x-key': taken ?? '' }).get('x-key')).toBe(taken)
    }),
    { numRuns: 100 },
  )
})

const row = (over: Partial<Pick<ProviderRow, 'kind' | 'baseURL' | 'sealedKey'>> = {}): ProviderRow => ({
  id: 'a',
  kind: compatible,
  label: null,
  baseURL,
  sealedKey: 'sealed',
  models: [],
  listed: [],
  ...over,
})

test.for([
  ['another host', { baseURL: 'http://evil.test/v1' }],
  ['another port', { baseURL: 'http://127.0.0.1:8081/v1' }],
  ['another path', { baseURL: 'http://127.0.0.1:8080/v2' }],
  ['another scheme', { baseURL: 'https://127.0.0.1:8080/v1' }],
  ['another kind', { kind: 'openai' }],
  ['the provider’s own address', { kind: 'openai', baseURL: null }],
] as const)('MO-6 a stored key is not kept for %s', ([, over]) => {
  expect(() => checkKeyIsThere({ kind: compatible, baseURL, ...over }, row())).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'apiKey' }),
  )
})

test('MO-6 a stored key is kept for its own address, and a new or removed one may go with another', () => {
  const elsewhere = { kind: compatible, baseURL: 'http://evil.test/v1' }
  expect(() => checkKeyIsThere({ kind: compatible, baseURL }, row())).not.toThrow()
  expect(() => checkKeyIsThere({ ...elsewhere, apiKey: 'sk-2' }, row())).not.toThrow()
  expect(() => checkKeyIsThere({ ...elsewhere, apiKey: null }, row())).not.toThrow()
  expect(() => checkKeyIsThere(elsewhere, row({ sealedKey: null }))).not.toThrow()
  expect(() => checkKeyIsThere(elsewhere, null)).not.toThrow()
})

test('UI-31 a provider at its own address needs a key, one at an address of the person does not', () => {
  for (const kind of ['openai', 'anthropic', 'google'] as const) {
    const own = { kind, baseURL: null }
    for (const address of [own, { ...own, apiKey: null }])
      expect(() => checkKeyIsThere(address, null)).toThrow('This provider needs a key.')
    expect(() => checkKeyIsThere({ ...own, apiKey: null }, row({ kind, baseURL: null }))).toThrow(
      'needs a key',
    )
    expect(() => checkKeyIsThere({ ...own, apiKey: 'sk' }, null)).not.toThrow()
    expect(() => checkKeyIsThere(own, row({ kind, baseURL: null }))).not.toThrow()
    expect(() => checkKeyIsThere({ kind, baseURL }, null)).not.toThrow()
  }
})

test('UI-31 a name and ids are kept without blanks around them, each once and in their order', () => {
  expect(named({ label: ' Mine ', models: [' b ', 'a', 'b', 'a '] })).toEqual({
    label: 'Mine',
    models: ['b', 'a'],
  })
  expect(named({ label: '  ' })).toEqual({ label: null, models: [] })
})

test('UI-31 names and ids are bounded, and the one at fault is named', () => {
  const most = 'x'.repeat(LIMITS.modelIdCharacters)
  expect(named({ models: [most] }).models).toEqual([most])
  expect(() => named({ models: ['a', `${most}x`] })).toThrow(expect.objectContaining({ field: 'models.1' }))
  expect(() => named({ models: ['a', 'b', ' '] })).toThrow(expect.objectContaining({ field: 'models.2' }))
  const many = Array.from({ length: LIMITS.modelsPerProvider + 1 }, (_, at) => `m${at}`)
  expect(named({ models: many.slice(1) }).models).toHaveLength(LIMITS.modelsPerProvider)
  expect(() => named({ models: many })).toThrow(expect.objectContaining({ field: 'models' }))
  const label = 'x'.repeat(LIMITS.providerLabelCharacters)
  expect(named({ label: ` ${label} ` }).label).toBe(label)
  expect(() => named({ label: `${label}x` })).toThrow(expect.objectContaining({ field: 'label' }))
})
