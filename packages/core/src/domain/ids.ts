import { typeid } from 'typeid-js'

/** Prefixes of the ids that the product makes itself: TypeIDs, a prefix and a UUIDv7. */
export type IdPrefix = 'ses' | 'msg' | 'prt' | 'run' | 'op' | 'wrk' | 'per' | 'qst' | 'tsk' | 'rul' | 'prc'

export function createId<P extends IdPrefix>(prefix: P): `${P}_${string}` {
  return `${prefix}_${typeid().getSuffix()}`
}

/** What a client may send as the id of a session or message: 1 to 128 letters, digits, `_` or `-`. */
export const CLIENT_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/
