import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { sendCompressed } from './compressed-static.ts'
import { pagePolicy } from './security/headers.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../web', import.meta.url))
const NONCE_BYTES = 16

/** Why there are no pages, for the answer to a page request. */
const WITHOUT_PAGES = {
  off: { status: 404, words: 'There are no pages here, only the API: PALIMPSEST_WEB is off.' },
  unbuilt: {
    status: 503,
    words:
      'The API is up, but the pages are not built. Build them with: npx pnpm@12 --filter @palimpsest/web run build',
  },
}

/** Handles every request that is not the API's. */
export interface WebPages extends AsyncDisposable {
  /** Starts loading; requests wait for it. Call once. */
  open(): Promise<void>
  /** False until pages can be served, or always when there are none. */
  readonly ready: boolean
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Hot reloading in development; false when the socket is not for the pages. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean>
}

/** How pages are served: by Next in this process, or not at all. */
export type WebMode = 'production' | 'development' | 'off'

export function webModeOf(env: { PALIMPSEST_WEB: boolean; PALIMPSEST_DEV: boolean }): WebMode {
  if (!env.PALIMPSEST_WEB) return 'off'
  return env.PALIMPSEST_DEV ? 'development' : 'production'
}

/** Pages of the web app in `folder`. Next is loaded only by `open`, so that the API starts earlier. */
export function createWebPages(mode: WebMode, folder = WEB_FOLDER): WebPages {
  const dev = mode === 'development'
  if (mode === 'off') return noPages('off')
  if (!dev && !existsSync(`${folder}/.next/BUILD_ID`)) return noPages('unbuilt')

  const opened = Promise.withResolvers<Next>()
  // A failure reaches the requests that wait, and the caller of `open`.
  opened.promise.catch(() => undefined)
  let state: 'closed' | 'opening' | 'ready' = 'closed'

  return {
    async open() {
      state = 'opening'
      openNext(dev, folder).then(opened.resolve, opened.reject)
      await opened.promise
      state = 'ready'
    },
    get ready() {
      return state === 'ready'
    },
    async handle(request, response) {
      if (!dev && (await sendCompressed(request, response, `${folder}/.next`))) return
      const { handle } = await opened.promise
      const policy = pagePolicy(randomBytes(NONCE_BYTES).toString('base64'), dev)
      // Next reads the nonce for its own scripts from the request's policy.
      request.headers['content-security-policy'] = policy
      response.setHeader('content-security-policy', policy)
      await handle(request, response)
    },
    async upgrade(request, socket, head) {
      if (!dev) return false
      const { upgrades } = await opened.promise
      return upgrades.emit('upgrade', request, socket, head)
    },
    async [Symbol.asyncDispose]() {
      if (state === 'closed') return
      const next = await opened.promise.catch(() => null)
      await next?.close()
    },
  }
}

type Next = {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrades: Server
  close(): Promise<void>
}

async function openNext(dev: boolean, folder: string): Promise<Next> {
  const { default: next } = await import('next')
  // The package's types describe an ES module; as CommonJS its default export is the function itself.
  const createNext = next as unknown as typeof next.default
  // Next registers its upgrade listener on the server it is given; this one emits only upgrades that passed our check.
  const upgrades = createServer()
  const app = createNext({ dev, dir: folder, quiet: true, httpServer: upgrades })
  await app.prepare()
  return { handle: app.getRequestHandler(), upgrades, close: () => app.close() }
}

function noPages(why: keyof typeof WITHOUT_PAGES): WebPages {
  const { status, words } = WITHOUT_PAGES[why]
  return {
    open: () => Promise.resolve(),
    ready: why === 'off',
    handle(_request, response) {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${words}\n`)
      return Promise.resolve()
    },
    upgrade: () => Promise.resolve(false),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}
