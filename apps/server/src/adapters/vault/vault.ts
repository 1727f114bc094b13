import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AppError } from '@palimpsest/core/domain'
import type { Vault } from '@palimpsest/core/ports'
import { createVaultKey, readVaultKey } from './vault-key.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

/** The key of the environment, or the file that has it and is made when it is first needed. */
export type VaultKey = { bytes: Buffer } | { file: string }

/** Encrypts with AES-256-GCM, a random nonce for each text, and the purpose as authenticated data. */
export function createVault(source: VaultKey): Vault {
  return {
    async seal(text, purpose) {
      const key = await keyToSealWith(source)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${sealed.toString('base64url')}`
    },
    async open(sealed, purpose) {
      const key = await keyOf(source)
      const [version, body = ''] = sealed.split('.')
      const bytes = Buffer.from(body, 'base64url')
      if (key === null || version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(Buffer.from(purpose))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}

async function keyOf(source: VaultKey): Promise<Buffer | null> {
  if ('bytes' in source) return source.bytes
  // What cannot be read, or holds no key, decrypts nothing.
  return await readVaultKey(source.file).catch(() => null)
}

async function keyToSealWith(source: VaultKey): Promise<Buffer> {
  if ('bytes' in source) return source.bytes
  try {
    return (await readVaultKey(source.file)) ?? (await createVaultKey(source.file))
  } catch (cause) {
    const message =
      'The key cannot be stored: the file of the encryption key beside the database cannot be used.'
    throw new AppError('STORE_ERROR', message, { cause })
  }
}
