import type { Clock, SettingsStore, Vault } from '@palimpsest/core/ports'
import { z } from 'zod'

/** Characters of what is stored for one server. */
const MAX_CHARACTERS = 100_000

/** What a sign-in at one server leaves: the client that was registered, its tokens, and where they are from. */
export type StoredSignIn = z.output<typeof storedSignIn>

const issued = z.looseObject({ issuer: z.string().optional() })
const storedSignIn = z.object({
  /** Where the authorisation page leads back to; empty where no person signs in. */
  redirect: z.string(),
  /** What sign-ins have asked for. */
  scope: z.string().optional(),
  /** What calls were refused for. */
  refused: z.object({ scope: z.string(), signIns: z.int(), open: z.boolean() }).optional(),
  client: issued.extend({ client_id: z.string() }).optional(),
  tokens: issued
    .extend({
      access_token: z.string(),
      token_type: z.string(),
      refresh_token: z.string().optional(),
      scope: z.string().optional(),
    })
    .optional(),
  discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
})

/** Stores what sign-ins leave, encrypted. `owner` is the address of the server, and its client where that is configured: another one has none. */
export interface Credentials {
  read(server: string, owner: string): Promise<StoredSignIn | null>
  /** Null removes it. Fails when it is too large. */
  write(server: string, owner: string, stored: StoredSignIn | null): Promise<void>
}

type Ports = {
  settings: Pick<SettingsStore, 'values' | 'setValues'>
  vault: Vault
  clock: Pick<Clock, 'now'>
}

export function createCredentials({ settings, vault, clock }: Ports): Credentials {
  const keyOf = (server: string) => `mcp.sign-in.${server}`
  const purposeOf = (server: string, owner: string) => JSON.stringify(['mcp', server, owner])
  return {
    async read(server, owner) {
      const sealed = (await settings.values()).get(keyOf(server))
      const text = typeof sealed === 'string' ? await vault.open(sealed, purposeOf(server, owner)) : null
      const read = text === null ? null : storedSignIn.safeParse(JSON.parse(text))
      return read?.success === true ? read.data : null
    },
    async write(server, owner, stored) {
      const text = stored === null ? null : JSON.stringify(stored)
      if (text !== null && text.length > MAX_CHARACTERS)
        throw new Error('The authorisation server sent more than can be stored.')
      const sealed = text === null ? null : await vault.seal(text, purposeOf(server, owner))
      await settings.setValues(new Map([[keyOf(server), sealed]]), clock.now())
    },
  }
}
