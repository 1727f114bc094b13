import type { Clock, SettingsStore, Vault } from '@palimpsest/core/ports'
import { z } from 'zod'

/** Characters of what is stored for one server. */
const MAX_CHARACTERS = 100_000

/** What a sign-in at one server leaves: the client that was registered, its tokens, and where they are from. */
export type StoredSignIn = z.output<typeof storedSignIn>

const issued = z.looseObject({ issuer: z.string().optional() })
const storedSignIn = z.object({
  /** Where the authorisation page leads back to. */
  redirect: z.string(),
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

/** Stores what sign-ins leave, encrypted. A server whose address is another one has none. */
export interface Credentials {
  read(server: string, url: string): Promise<StoredSignIn | null>
  /** Null removes it. Fails when it is too large. */
  write(server: string, url: string, stored: StoredSignIn | null): Promise<void>
}

type Ports = {
  settings: Pick<SettingsStore, 'values' | 'setValues'>
  vault: Vault
  clock: Pick<Clock, 'now'>
}

export function createCredentials({ settings, vault, clock }: Ports): Credentials {
  const keyOf = (server: string) => `mcp.sign-in.${server}`
  const purposeOf = (server: string, url: string) => JSON.stringify(['mcp', server, url])
  return {
    async read(server, url) {
      const sealed = (await settings.values()).get(keyOf(server))
      const text = typeof sealed === 'string' ? await vault.open(sealed, purposeOf(server, url)) : null
      const read = text === null ? null : storedSignIn.safeParse(JSON.parse(text))
      return read?.success === true ? read.data : null
    },
    async write(server, url, stored) {
      const text = stored === null ? null : JSON.stringify(stored)
      if (text !== null && text.length > MAX_CHARACTERS)
        throw new Error('The authorisation server sent more than can be stored.')
      const sealed = text === null ? null : await vault.seal(text, purposeOf(server, url))
      await settings.setValues(new Map([[keyOf(server), sealed]]), clock.now())
    },
  }
}
