import { type Encoder, jsonEncoder } from '@trpc/server/adapters/ws'
import type { WebSocket } from 'ws'
import { toRefusal } from '../refusal.ts'
import { assertShape, bytesFor, tooLarge } from './assert-size.ts'
import { type JsonOutline, outlineJson } from './outline-json.ts'

/**
 * Encodes and decodes the messages of one socket. A message beyond the limits of size or shape is not parsed: each of its
 * calls is answered with `INVALID_INPUT`, and its content is dropped.
 */
export function createSocketEncoder(socket: Pick<WebSocket, 'send'>): Encoder {
  return {
    encode: (data) => jsonEncoder.encode(data),
    decode(data) {
      if (typeof data !== 'string') return jsonEncoder.decode(data)
      const outline = outlineJson(data)
      const error = refusalOf(data, outline)
      if (error === null) return jsonEncoder.decode(data)
      const ids = outline.ids.length === 0 ? [null] : outline.ids
      for (const id of ids) socket.send(JSON.stringify({ id, error }))
      return []
    },
  }
}

function refusalOf(text: string, outline: JsonOutline) {
  try {
    const most = bytesFor(outline.paths, outline.calls)
    if (text.length > most) throw tooLarge(most)
    assertShape(outline, 'body')
    return null
  } catch (error) {
    return toRefusal(error).body.error
  }
}
