import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSecretRedactor } from './secret-redactor.ts'

const WAYS: ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.trim(),
  (secret) => `Bearer ${secret}`,
  (secret) => secret.toUpperCase(),
  (secret) => encodeURIComponent(secret.trim()),
  (secret) => encodeURIComponent(secret.trim()).toLowerCase(),
  (secret) => JSON.stringify(secret),
  (secret) => JSON.stringify({ error: JSON.stringify({ secret }) }),
  (secret) => btoa(secret.trim()),
  (secret) => btoa(`Bearer ${secret.trim()}`),
  (secret) => btoa(`me:${secret.trim()}`).replaceAll('+', '-').replaceAll('/', '_'),
]

test('SX-5 a secret is found in a text however it is written there', () => {
  const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
  fc.assert(
    fc.property(
      ascii.filter((text) => text.trim().length >= 8),
      fc.constantFrom(...WAYS),
      (secret, written) => {
        const shown = createSecretRedactor([secret])(`The provider said: ${written(secret)}!`)
        expect(shown).toContain('[removed]')
        expect(shown).not.toContain(secret.trim())
      },
    ),
  )
})

test('SX-5 spaces inside a secret may have been changed', () => {
  const redact = createSecretRedactor(['my  secret\tkey'])
  for (const written of [
    'my secret key',
    'my\nsecret key',
    'my+secret%20key',
    String.raw`my\n\tsecret\\nkey`,
  ])
    expect(redact(`no: ${written}.`)).toBe('no: [removed].')
})

test('SX-5 a secret that begins with another one is removed whole', () => {
  expect(createSecretRedactor(['abc', 'abc-def'])('abc-def abc')).toBe('[removed] [removed]')
})

test('SX-5 without secrets, or with one of two characters, a text stays as it is', () => {
  expect(createSecretRedactor([])('as it is')).toBe('as it is')
  expect(createSecretRedactor(['', ' ', 'is'])('as it is')).toBe('as it is')
})
