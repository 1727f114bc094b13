const END_OF_EVENT = new TextEncoder().encode('\n\n')

/**
 * A `fetch` whose streams end their last event: a server that leaves out the line ends behind it would have it dropped,
 * and with it the end of the answer.
 */
export function endingFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const { body, ok, headers } = response
    if (!ok || body === null || headers.get('content-type')?.includes('json')) return response
    return new Response(withEnd(body), response)
  }
}

/** By hand, because a `TransformStream` takes several times as long for each chunk. */
function withEnd(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const { done, value } = await reader.read()
        out.enqueue(done ? END_OF_EVENT : value)
        if (done) out.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
