import { TypeID, typeid } from 'typeid-js'

/** Prefixes of the ids that the product makes itself: TypeIDs, a prefix and a UUIDv7. */
export type IdPrefix =
  | 'ses'
  | 'msg'
  | 'prt'
  | 'run'
  | 'op'
  | 'wrk'
  | 'per'
  | 'qst'
  | 'tsk'
  | 'rul'
  | 'prc'
  | 'mem'

export function createId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${typeid().getSuffix()}`
}

/** The session id that a SHA-256 in hexadecimal leads to, always the same: its first 128 bits as a UUIDv7. */
export function sessionIdOfHash(hash: string): `ses_${string}` {
  const uuid = [hash.slice(0, 8), hash.slice(8, 12), `7${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return TypeID.fromUUID('ses', [...uuid, hash.slice(20, 32)].join('-')).toString()
}

/** What a client may send as the id of a session or message: 1 to 128 letters, digits, `_` or `-`. */
export const CLIENT_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/
