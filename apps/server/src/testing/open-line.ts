import { WebSocket } from 'ws'

/** An answer of a socket, with the id of its call. */
export type Answer = {
  id: number | string | null
  error?: { message: string; data: { appCode: string; httpStatus: number; field?: string; stack?: unknown } }
  result?: { type?: string; data?: unknown }
}
export type Line = AsyncDisposable & {
  readonly closed: boolean
  /** Every received message. */
  readonly heard: readonly string[]
  send(text: string | Uint8Array): void
  /** Calls a procedure and returns the first answer to it. */
  call(path: string, method: string, input: unknown): Promise<Answer>
  /** The next answer that matches. */
  next(looksSo: (answer: Answer) => boolean): Promise<Answer>
}

/** A plain socket to the server; `query` is appended to its address. */
export async function openLine({ port }: { port: number }, query = ''): Promise<Line> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/trpc${query}`)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const waiting = new Set<(answer: Answer) => void>()
  const heard: string[] = []
  let calls = 0
  let closed = false
  socket.on('close', () => {
    closed = true
  })
  socket.on('message', (data) => {
    const text = String(data)
    heard.push(text)
    if (!text.startsWith('{')) return
    for (const listener of [...waiting]) listener(JSON.parse(text))
  })
  const next = (looksSo: (answer: Answer) => boolean) =>
    new Promise<Answer>((resolve) => {
      const listener = (answer: Answer) => {
        if (!looksSo(answer)) return
        waiting.delete(listener)
        resolve(answer)
      }
      waiting.add(listener)
    })
  return {
    get closed() {
      return closed
    },
    heard,
    next,
    send: (text) => socket.send(text),
    call(path, method, input) {
      const id = ++calls
      const answer = next((one) => one.id === id)
      socket.send(JSON.stringify({ id, method, params: { path, input } }))
      return answer
    },
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await Promise.resolve()
    },
  }
}
