import { type Client, createClient } from '@palimpsest/client'

/** Connects on first use, so that nothing connects while a page is rendered on the server. */
export function lazyClient(): () => Client {
  let client: Client | null = null
  return () => {
    client ??= createClient({ url: window.location.origin })
    return client
  }
}
