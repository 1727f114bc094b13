import type { Vault } from '@palimpsest/core/ports'

/** A vault of its own secret, without cryptography: what another one sealed cannot be opened. */
export function createMemoryVault(secret = 'memory'): Vault {
  return {
    seal: (text, purpose) =>
      Promise.resolve(btoa(JSON.stringify([secret, purpose, [...text].reverse().join('')]))),
    open(sealed, purpose) {
      const [by, sealedFor, text] = JSON.parse(atob(sealed))
      return Promise.resolve(by === secret && sealedFor === purpose ? [...text].reverse().join('') : null)
    },
  }
}
