import type { Outlet } from './context.ts'
import { toTrpcError } from './errors.ts'

/** A subscription's values at the pace that its connection takes them, with errors as the wire has them. */
export async function* streamOut<T>(outlet: Outlet, source: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  try {
    using _claim = outlet.claim()
    for await (const value of source) {
      yield value
      await outlet.writable()
    }
  } catch (error) {
    throw toTrpcError(error)
  }
}
