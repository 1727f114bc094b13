import type { AppRouter } from '@palimpsest/server'
import { httpSubscriptionLink, type TRPCLink } from '@trpc/client'
import type { EventSource, EventSourceInit } from 'eventsource'

export type Subscriptions = { link: TRPCLink<AppRouter>; close(): Promise<void> }

type Source = typeof EventSource

function NotLoadedYet() {}

/** Subscriptions as server-sent events, with headers. */
export function overEvents(url: string, headers: Record<string, string>): Subscriptions {
  const open = new Set<EventSource>()
  const state: { Source: Source | null; closed: boolean } = { Source: null, closed: false }
  const init: EventSourceInit = {
    fetch: (input, { headers: own, ...rest }) =>
      fetch(input, { ...rest, headers: { ...Object.fromEntries(new Headers(own)), ...headers } }),
  }

  function construct(_target: object, [address]: [string]): EventSource {
    if (state.Source === null) throw new Error('tRPC makes a source before it has its options')
    const source = new state.Source(address, init)
    const close = source.close.bind(source)
    source.close = () => {
      open.delete(source)
      close()
    }
    // tRPC never closes a source that failed permanently.
    source.addEventListener('error', () => {
      if (source.readyState === source.CLOSED) open.delete(source)
    })
    open.add(source)
    if (state.closed) source.close()
    return source
  }

  // The class is loaded on first use: clients without events never load the package. Only `construct` is called.
  const Tracked = new Proxy<Source>(NotLoadedYet as unknown as Source, { construct })
  return {
    link: httpSubscriptionLink({
      url,
      EventSource: Tracked,
      // tRPC waits for these before it creates a source.
      async eventSourceOptions() {
        state.Source ??= (await import('eventsource')).EventSource
        return init
      },
    }),
    close() {
      state.closed = true
      for (const source of [...open]) source.close()
      return Promise.resolve()
    },
  }
}
