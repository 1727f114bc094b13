import { vi } from 'vitest'

/** Makes every media query match, as in a narrow window under a finger, or none, until the end of the block. */
export function stubMedia(matches = true): Disposable {
  vi.stubGlobal('matchMedia', () => ({
    matches,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  return { [Symbol.dispose]: () => void vi.unstubAllGlobals() }
}
