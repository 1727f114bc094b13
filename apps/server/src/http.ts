import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '@palimpsest/core/domain'
import type { Logger } from '@palimpsest/core/ports'
import { isFrame, serveFrame } from './frames/frame-handler.ts'
import { SERVER_LIMITS } from './limits.ts'
import type { Metrics } from './observe/metrics.ts'
import { sendJson, toRefusal } from './refusal.ts'
import type { RestHandler } from './rest/rest-handler.ts'
import { ARCHIVE_PATH, type Guard, isCall, isRest, MCP_CALLBACK_PATH, pathOf } from './security/guard.ts'
import { API_POLICY, SECURITY_HEADERS } from './security/headers.ts'
import { checkTarget } from './security/request-target.ts'
import type { TrpcHttpHandler } from './transport/http-handler.ts'
import type { TrpcSockets } from './transport/socket-handler.ts'
import type { WebPages } from './web.ts'

export type HttpDeps = {
  guard: Guard
  login(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Ends a sign-in at an MCP server. */
  mcpCallback(request: IncomingMessage, response: ServerResponse): Promise<void>
  trpc: TrpcHttpHandler
  rest: RestHandler
  sockets: TrpcSockets
  web: WebPages
  metrics: Metrics
  /** Why the server can't serve right now; null when it can. */
  unready(): Promise<string | null>
  logger: Logger
}

/** The one HTTP server: checks each request, then routes it to the API, its own health paths, or the web app. */
export function createHttpServer(deps: HttpDeps): Server {
  const server = createServer({ shouldUpgradeCallback: asksForSocket, ...TIMEOUTS }, (request, response) => {
    limitArrival(request)
    observe(request, response, deps)
    serve(request, response, deps).catch((error: unknown) => refuse(error, request, response, deps.logger))
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head, deps).catch((error: unknown) => refuseUpgrade(error, socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseUnread(error, socket))
  return server
}

/** Each request has its own limit: an archive takes as long as its bytes keep coming. */
const TIMEOUTS = { requestTimeout: 0, headersTimeout: 60_000 }

/** Closes a connection whose request does not arrive in time. */
function limitArrival(request: IncomingMessage): void {
  if (pathOf(request) === ARCHIVE_PATH) return
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy()
  }, SERVER_LIMITS.requestMs).unref()
  request.once('close', () => clearTimeout(timer))
}

/** Some clients offer another version of HTTP with each request; these requests are answered as HTTP/1.1. */
function asksForSocket({ headers }: IncomingMessage): boolean {
  return /(^|,)\s*websocket\s*(,|$)/i.test(headers.upgrade ?? '')
}

async function serve(request: IncomingMessage, response: ServerResponse, deps: HttpDeps): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
  // Pages replace this policy by their own.
  response.setHeader('content-security-policy', API_POLICY)
  checkTarget(request)
  const path = pathOf(request)
  await deps.guard.request(request)
  switch (groupOf(path)) {
    case 'trpc':
      return deps.trpc(request, response)
    case 'api':
      return deps.rest(request, response)
    case 'login':
      return deps.login(request, response)
    case 'mcp-callback':
      return deps.mcpCallback(request, response)
    case 'healthz':
      return sendJson(response, 200, { status: 'ok' })
    case 'readyz': {
      const reason = await deps.unready()
      return sendJson(response, reason === null ? 200 : 503, { status: reason ?? 'ready' })
    }
    case 'metrics': {
      const { contentType, body } = await deps.metrics.render()
      response.writeHead(200, { 'content-type': contentType }).end(body)
      return
    }
    case 'frames':
      return serveFrame(request, response)
    case 'pages':
      return deps.web.handle(request, response)
  }
}

async function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  deps: HttpDeps,
): Promise<void> {
  checkTarget(request)
  await deps.guard.upgrade(request)
  if (isCall(pathOf(request))) deps.sockets.accept(request, socket, head)
  else if (!(await deps.web.upgrade(request, socket, head))) socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
}

type Group = 'mcp-callback' | 'trpc' | 'api' | 'login' | 'healthz' | 'readyz' | 'metrics' | 'frames' | 'pages'

function groupOf(path: string): Group {
  if (isCall(path)) return 'trpc'
  if (isRest(path)) return 'api'
  if (isFrame(path)) return 'frames'
  if (path === MCP_CALLBACK_PATH) return 'mcp-callback'
  const name = path.slice(1)
  return name === 'login' || name === 'healthz' || name === 'readyz' || name === 'metrics' ? name : 'pages'
}

/** The status that is counted when a caller disconnected before the answer, as other servers do. */
const CALLER_LEFT = 499

function observe(request: IncomingMessage, response: ServerResponse, { metrics, logger }: HttpDeps): void {
  const start = performance.now()
  response.once('close', () => {
    const fact = {
      method: request.method ?? '',
      group: groupOf(pathOf(request)),
      status: response.headersSent ? response.statusCode : CALLER_LEFT,
      ms: Math.round(performance.now() - start),
    }
    metrics.countRequest(fact)
    logger.debug(fact, 'Answered')
  })
}

function refuse(error: unknown, request: IncomingMessage, response: ServerResponse, logger: Logger): void {
  const { status, body } = toRefusal(error)
  if (status >= 500) logger.error({ group: groupOf(pathOf(request)), err: error }, 'A request failed')
  // The rest of a refused body is not read.
  if (!request.complete) response.setHeader('connection', 'close')
  sendJson(response, status, body)
}

function refuseUpgrade(error: unknown, socket: Duplex): void {
  const { status, body } = toRefusal(error)
  endWith(socket, status, body)
}

/** A request that Node could not parse. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const words = isTooLong ? 'The request line and its headers take at most 16 kB.' : 'That is not HTTP.'
  endWith(
    socket,
    isTooLong ? 431 : 400,
    toRefusal(new AppError('INVALID_INPUT', words, { field: 'headers' })).body,
  )
}

function endWith(socket: Duplex, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-type: application/json`
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
