import { TRPCError } from '@trpc/server'
import { type Encoder, jsonEncoder } from '@trpc/server/adapters/ws'
import { parseTRPCMessage } from '@trpc/server/rpc'
import type { WebSocket } from 'ws'
import { toRefusal } from '../refusal.ts'
import { appRouter } from '../routers/app-router.ts'
import { assertShape, bytesFor, tooLarge } from './assert-size.ts'
import { type JsonOutline, outlineJson } from './outline-json.ts'

/** Characters outside of strings in which the ids of a refused message are looked for, and ids that are answered. */
const SEARCHED = 4_000_000
const MOST_ANSWERS = 10_000
/** Close code: the message is against the rules of this server. */
const POLICY_VIOLATION = 1008

type Socket = Pick<WebSocket, 'send' | 'close'>

/**
 * Encodes and decodes the messages of one socket. A message beyond the limits of size or shape is not parsed: each of its
 * calls is answered with `INVALID_INPUT`, and its content is dropped. Where the id of a call cannot be read, the socket is
 * closed, so that no call waits for ever.
 */
export function createSocketEncoder(socket: Socket): Encoder {
  return {
    encode: (data) => jsonEncoder.encode(data),
    decode(data) {
      if (typeof data !== 'string') return jsonEncoder.decode(data)
      const error = refusalOf(data, outlineJson(data))
      if (error === null) return wellFormed(jsonEncoder.decode(data), socket)
      refuse(socket, error, callsIn(data))
      return []
    },
  }
}

/** The calls of a refused message. One that is no list has no call behind the first. */
function callsIn(text: string): JsonOutline {
  const outline = outlineJson(text, SEARCHED)
  const isList = /^\s*\[/.test(text.slice(0, 100))
  return isList || outline.ids.length === 0 ? outline : { ...outline, isWhole: true }
}

type Refused = ReturnType<typeof toRefusal>['body']['error']

function refuse(socket: Socket, error: Refused, { ids, calls, isWhole }: JsonOutline): void {
  const isReadable = isWhole && ids.length === calls && calls <= MOST_ANSWERS
  for (const id of ids.length === 0 ? [null] : ids.slice(0, MOST_ANSWERS))
    socket.send(JSON.stringify({ id, error }))
  if (!isReadable && calls > 0) socket.close(POLICY_VIOLATION, error.message.slice(0, 100))
}

/**
 * The message without what is no call, each of which is answered by itself: tRPC refuses all calls of a message when one
 * of them is none.
 */
function wellFormed(message: unknown, socket: Socket): unknown {
  if (!Array.isArray(message)) return idOf(message) === null || isCall(message, socket) ? message : []
  return message.filter((one: unknown) => isCall(one, socket))
}

function isCall(value: unknown, socket: Socket): boolean {
  try {
    // It takes what a transport has parsed.
    parseTRPCMessage(value as Parameters<typeof parseTRPCMessage>[0], appRouter._def._config.transformer)
    return true
  } catch (cause) {
    const { error } = toRefusal(new TRPCError({ code: 'PARSE_ERROR', cause })).body
    socket.send(JSON.stringify({ id: idOf(value), error }))
    return false
  }
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null
}

function refusalOf(text: string, outline: JsonOutline): Refused | null {
  try {
    const most = bytesFor(outline.paths, outline.calls)
    if (text.length > most) throw tooLarge(most)
    assertShape(outline, 'body')
    return null
  } catch (error) {
    return toRefusal(error).body.error
  }
}
