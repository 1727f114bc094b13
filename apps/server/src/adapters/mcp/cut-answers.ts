import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const CUT = 'The server ended its answer before the result. The call may have had effects.'

/**
 * Fails a request whose stream ends before its answer, which the client package would wait for until the time is over. An answer
 * that did come counts: the client ignores a second one.
 */
export function failCutAnswers(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => send(message, { ...options, ...watched(message, transport) })
}

function watched(message: JSONRPCMessage | JSONRPCMessage[], transport: StreamableHTTPClientTransport) {
  if (Array.isArray(message) || !('id' in message) || !('method' in message)) return {}
  const { id, method } = message
  // It is a stream that stays open, whose end the client handles.
  if (method === 'subscriptions/listen') return {}
  const error = { code: -32_000, message: CUT }
  return { onRequestStreamEnd: () => transport.onmessage?.({ jsonrpc: '2.0', id, error }) }
}
