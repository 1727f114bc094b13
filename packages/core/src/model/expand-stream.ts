/**
 * The stream with each value replaced by any number of others. Between two that replace one value, `pause` is awaited. Written
 * without `TransformStream`, which takes several times as long for each value.
 */
export function expandStream<T>(
  source: ReadableStream<T>,
  expand: (value: T) => readonly T[],
  pause?: () => Promise<void>,
): ReadableStream<T> {
  const reader = source.getReader()
  let waiting: readonly T[] = []

  /** Null at the end of the source. */
  async function nextValues(): Promise<readonly T[] | null> {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return null
      const values = expand(value)
      // Without a value to enqueue, the stream would not be pulled again.
      if (values.length > 0) return values
    }
  }

  return new ReadableStream<T>(
    {
      async pull(out) {
        if (waiting.length > 0) await pause?.()
        try {
          const values = waiting.length > 0 ? waiting : await nextValues()
          if (values === null) return out.close()
          const [first, ...rest] = values
          if (first !== undefined) out.enqueue(first)
          waiting = rest
        } catch (error) {
          reader.cancel(error).catch(() => undefined)
          throw error
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
