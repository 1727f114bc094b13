/** The chunks of a web stream; one that is left early is cancelled. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  let isRead = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isRead = done
      if (done) return
      yield value
    }
  } finally {
    if (!isRead) await reader.cancel().catch(() => undefined)
  }
}

/** Writes chunks into a web stream as fast as it takes them; their failure becomes its failure. */
export async function pump<T>(chunks: AsyncIterable<T>, stream: WritableStream<T>): Promise<void> {
  const writer = stream.getWriter()
  try {
    for await (const chunk of chunks) await writer.write(chunk)
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
  }
}
