import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { ATTACKS, type Attack } from '../attacks/attacks.ts'
import { announce } from './announce.ts'

/** A provider that answers `attack:3` with the third attack, and each request after tool calls with one word. */

const [scale = '1'] = process.argv.slice(2)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = await text(request)
  const attack = ATTACKS[Number(/attack:(\d+)/.exec(asked)?.[1])]
  if (attack === undefined) return void response.writeHead(404).end()
  const encoding = attack.encoding && { 'content-encoding': attack.encoding }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...encoding })
  const closed = once(response, 'close')
  for (const piece of hasToolResult(asked) ? done(attack) : attack.body(Number(scale))) {
    if (response.destroyed) return
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed])
  }
  response.end()
}

function hasToolResult(asked: string): boolean {
  return /"role":"tool"|"tool_result"|"functionResponse"/.test(asked)
}

function done({ format }: Attack): string[] {
  return [format.begin() + format.openText() + format.text('Done') + format.end(false)]
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
