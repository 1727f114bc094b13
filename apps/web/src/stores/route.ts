import { CLIENT_ID_PATTERN } from '@palimpsest/core/domain'
import { createStore, type WatchedStore } from '../state/create-store.ts'

export const SETTINGS_SECTIONS = [
  'models',
  'general',
  'memory',
  'permissions',
  'mcp',
  'hooks',
  'agents',
  'skills',
  'data',
  'shortcuts',
  'about',
] as const
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]

/** The address at which a real model is added. */
export const ADD_MODEL_HREF = '/settings/models'

/** What an address shows. `anchor` is the part after `#`: a message's id. */
export type Route = {
  readonly sessionId: string | null
  readonly anchor: string | null
  /** Two sessions side by side, instead of one. */
  readonly compare?: Compared
  /** What is stored of the session with this id, instead of its chat. */
  readonly inspect?: string
  /** A section of the settings, instead of a session. */
  readonly settings?: SettingsSection
}

/** Ids of two sessions; an empty one is still to be chosen. */
export type Compared = { readonly left: string; readonly right: string }

/** The address bar as a value, and the ways to change it without loading a page. */
export type Router = WatchedStore<Route> & {
  push(route: Route): void
  /** Changes the address in place: going back leads to what was before it. */
  replace(route: Route): void
  /** Follows back and forward until the answer is called. */
  listen(): () => void
}

/** `initialPath` is the path that the page was rendered for. */
export function createRouter(initialPath: string): Router {
  const store = createStore(parseRoute(initialPath, '', ''))

  return {
    initial: store.initial,
    get: store.get,
    subscribe: store.subscribe,
    push(route) {
      window.history.pushState(null, '', routePath(route))
      store.set(route)
    },
    replace(route) {
      window.history.replaceState(null, '', routePath(route))
      store.set(route)
    },
    listen() {
      const read = () =>
        store.set(parseRoute(window.location.pathname, window.location.hash, window.location.search))
      read()
      window.addEventListener('popstate', read)
      window.addEventListener('hashchange', read)
      return () => {
        window.removeEventListener('popstate', read)
        window.removeEventListener('hashchange', read)
      }
    },
  }
}

export function routePath({ sessionId, anchor, compare, inspect, settings }: Route): string {
  if (settings !== undefined) return `/settings/${settings}`
  if (inspect !== undefined) return `/s/${inspect}/inspect`
  if (compare !== undefined) return `/compare?${new URLSearchParams({ a: compare.left, b: compare.right })}`
  return `${sessionId === null ? '/' : `/s/${sessionId}`}${anchor === null ? '' : `#${anchor}`}`
}

export function parseRoute(path: string, hash: string, search: string): Route {
  const sessionId = /^\/s\/([^/]+)\/?$/.exec(path)?.[1] ?? null
  const anchor = hash.replace(/^#/, '')
  const route = { sessionId, anchor: CLIENT_ID_PATTERN.test(anchor) ? anchor : null }
  const inspect = /^\/s\/([^/]+)\/inspect\/?$/.exec(path)?.[1]
  if (inspect !== undefined && CLIENT_ID_PATTERN.test(inspect)) return { ...route, inspect }
  const section = /^\/settings(?:\/([^/]*))?\/?$/.exec(path)
  if (section) return { ...route, settings: SETTINGS_SECTIONS.find((one) => one === section[1]) ?? 'models' }
  return /^\/compare\/?$/.test(path)
    ? { ...route, compare: readCompared(new URLSearchParams(search)) }
    : route
}

function readCompared(query: URLSearchParams): Compared {
  const idOf = (name: string) => {
    const id = query.get(name) ?? ''
    return CLIENT_ID_PATTERN.test(id) ? id : ''
  }
  return { left: idOf('a'), right: idOf('b') }
}
