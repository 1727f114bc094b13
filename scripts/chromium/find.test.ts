import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryRepository } from '../lib/temporary-repository.ts'
import { findChromium } from './find.ts'

const none = () => undefined

function browsers() {
  const { root, [Symbol.dispose]: dispose } = temporaryRepository({
    'broken/chromium': '#!/bin/sh\nexit 1\n',
    'good/google-chrome': '#!/bin/sh\necho 150\n',
    'own/chrome': '#!/bin/sh\necho 151\n',
    'shell/chromium-headless-shell': '#!/bin/sh\necho 152\n',
  })
  const broken = join(root, 'broken/chromium')
  const good = join(root, 'good/google-chrome')
  const own = join(root, 'own/chrome')
  const shell = join(root, 'shell/chromium-headless-shell')
  for (const path of [broken, good, own, shell]) chmodSync(path, 0o755)
  return { root, broken, good, own, shell, [Symbol.dispose]: dispose }
}

test('QA-1 a browser on the PATH is found, one that does not start is passed over', () => {
  using found = browsers()
  const PATH = [join(found.root, 'broken'), join(found.root, 'good')].join(delimiter)
  expect(findChromium({ env: { PATH }, playwright: () => found.own })).toBe(found.good)
})

test('QA-1 the browser without windows is taken before others, wherever it is on the PATH', () => {
  using found = browsers()
  const PATH = ['good', 'shell'].map((folder) => join(found.root, folder)).join(delimiter)
  expect(findChromium({ env: { PATH }, playwright: none })).toBe(found.shell)
})

test("QA-1 Playwright's own browser serves when the PATH has none", () => {
  using found = browsers()
  const PATH = join(found.root, 'broken')
  expect(findChromium({ env: { PATH }, playwright: () => found.own })).toBe(found.own)
  expect(findChromium({ env: { PATH }, playwright: none })).toBeUndefined()
})

test('QA-1 a named browser is taken before all others, and is an error when it does not start', () => {
  using found = browsers()
  const PATH = join(found.root, 'good')
  expect(findChromium({ env: { PATH, CHROMIUM_PATH: found.own }, playwright: none })).toBe(found.own)
  expect(() => findChromium({ env: { PATH, CHROMIUM_PATH: found.broken }, playwright: none })).toThrow(
    /does not start/,
  )
})
