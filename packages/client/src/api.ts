import type { AppRouter } from '@palimpsest/server'
import type { TRPCClient, TRPCClientError } from '@trpc/client'

type Definition = AppRouter['_def']
type Config = Definition['_config']

/**
 * The server's router as clients see it. Every type of it is JSON already, so that answers keep the types that the
 * server gives them; tRPC would make `unknown` fields of message parts optional.
 */
export type ApiRouter = Omit<AppRouter, '_def'> & {
  _def: Omit<Definition, '_config'> & {
    _config: Omit<Config, '$types'> & {
      $types: Omit<Config['$types'], 'transformer'> & { transformer: true }
    }
  }
}

/** The typed procedures: `client.session.send.mutate(…)`, `client.session.stream.subscribe(…)`. */
export type Api = TRPCClient<ApiRouter>

/** What a call fails with. `data.appCode` says what went wrong, `data.field` where. */
export type ApiError = TRPCClientError<ApiRouter>
