import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'

const VAULT_KEY_BYTES = 32
/** Only the user that the server runs as may read it. */
const FILE_MODE = 0o600

/** The key in a file; null when there is no file. Fails for a file that cannot be read or holds no key. */
export async function readVaultKey(file: string): Promise<Buffer | null> {
  try {
    const bytes = toKey(await readFile(file, 'utf8'))
    if (bytes === null) throw new Error('The file holds no key')
    return bytes
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Writes a new key to a file, which appears complete; a key that is there by then stays, and is returned. */
export async function createVaultKey(file: string): Promise<Buffer> {
  const partial = `${file}.${randomUUID()}.partial`
  const bytes = randomBytes(VAULT_KEY_BYTES)
  try {
    await using handle = await open(partial, 'wx', FILE_MODE)
    await handle.chmod(FILE_MODE)
    await handle.writeFile(`${bytes.toString('base64')}\n`)
    await handle.sync()
    // Unlike a rename, a link never replaces the key that texts were sealed with meanwhile.
    await link(partial, file)
    return bytes
  } catch (error) {
    const made = codeOf(error) === 'EEXIST' ? await readVaultKey(file) : null
    if (made === null) throw error
    return made
  } finally {
    await unlink(partial).catch(() => undefined)
  }
}

/** 32 bytes in base64 or hexadecimal; null for anything else. */
export function toKey(text: string): Buffer | null {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  return /^[A-Za-z0-9+/]{43}=$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : null
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
