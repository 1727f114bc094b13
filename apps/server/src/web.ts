import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { pagePolicy } from './security/headers.ts'

const WEB_FOLDER = fileURLToPath(new URL('../../web', import.meta.url))
const NONCE_BYTES = 16
const NO_BUILD =
  'The API is up, but the pages are not built. Build them with: pnpm --filter @palimpsest/web run build\n'

/** What answers every request that is not the API's. */
export interface WebPages extends AsyncDisposable {
  /** False until pages can be served, or for good when there are none. */
  readonly ready: boolean
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Hot reloading in development; false when the socket is not for the pages. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean>
}

/** How pages are served: by Next in this process, or not at all. */
export type WebMode = 'production' | 'development' | 'off'

/** Pages of the web app. Next is loaded behind the first lines of the start, so that the API is up before. */
export function openWebPages(mode: WebMode): WebPages {
  const dev = mode === 'development'
  const served = dev || (mode === 'production' && existsSync(`${WEB_FOLDER}/.next/BUILD_ID`))
  if (!served) return noPages(mode === 'off')

  const opening = openNext(dev)
  let ready = false
  opening.then(
    () => {
      ready = true
    },
    () => undefined,
  )

  return {
    get ready() {
      return ready
    },
    async handle(request, response) {
      const { handler } = await opening
      const policy = pagePolicy(randomBytes(NONCE_BYTES).toString('base64'), dev)
      // Next reads the nonce for its own scripts from the request's policy.
      request.headers['content-security-policy'] = policy
      response.setHeader('content-security-policy', policy)
      await handler(request, response)
    },
    async upgrade(request, socket, head) {
      if (!dev) return false
      const { upgrades } = await opening
      return upgrades.emit('upgrade', request, socket, head)
    },
    async [Symbol.asyncDispose]() {
      const { app } = await opening
      await app.close()
    },
  }
}

async function openNext(dev: boolean) {
  const { default: next } = await import('next')
  // The package's types describe an ES module; as CommonJS its default export is the function itself.
  const createNext = next as unknown as typeof next.default
  // Next takes upgrades from the server it is given; from this one it hears of those that passed our check.
  const upgrades = createServer()
  const app = createNext({ dev, dir: WEB_FOLDER, quiet: true, httpServer: upgrades })
  await app.prepare()
  return { app, handler: app.getRequestHandler(), upgrades }
}

function noPages(ready: boolean): WebPages {
  return {
    ready,
    handle(_request, response) {
      response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' }).end(NO_BUILD)
      return Promise.resolve()
    },
    upgrade: () => Promise.resolve(false),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}
