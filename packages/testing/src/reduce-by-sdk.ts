import type { ChatChunk, ChatMessage } from '@palimpsest/core/domain'
import { readUIMessageStream } from 'ai'

/** The message that the AI SDK's own reducer makes of these chunks. Fails with what that reducer refuses. */
export async function reduceBySdk(chunks: readonly ChatChunk[]): Promise<ChatMessage> {
  const stream = new ReadableStream<ChatChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const failures: unknown[] = []
  const onError = (error: unknown) => failures.push(error)
  const message = (await Array.fromAsync(readUIMessageStream<ChatMessage>({ stream, onError }))).at(-1)
  const said = new Set(chunks.flatMap((chunk) => (chunk.type === 'error' ? [chunk.errorText] : [])))
  const refused = failures.find((error) => !(error instanceof Error && said.has(error.message)))
  if (refused !== undefined) throw refused
  if (message === undefined) throw new Error('The chunks make no message')
  return message
}
