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
    const ending = new TransformStream<Uint8Array, Uint8Array>({
      flush: (out) => out.enqueue(END_OF_EVENT),
    })
    return new Response(body.pipeThrough(ending), response)
  }
}
