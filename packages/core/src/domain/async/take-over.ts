import { AppError } from '../errors.ts'
import { untilAborted } from './until-aborted.ts'

/**
 * Lets one caller at a time receive data under a key: a later one ends the earlier one and begins once that has stopped.
 * `work` gets the data, which fails with `CONFLICT` when a later caller takes over.
 */
export type TakeOver = <T>(
  key: string,
  data: AsyncIterable<Uint8Array>,
  work: (data: AsyncIterable<Uint8Array>) => Promise<T>,
) => Promise<T>

export function createTakeOver(): TakeOver {
  const current = new Map<string, { stop: AbortController; ended: Promise<unknown> }>()

  return async (key, data, work) => {
    const before = current.get(key)
    const stop = new AbortController()
    const started = Promise.withResolvers<void>()
    const ended = started.promise.then(() => work(until(data, stop.signal)))
    const own = { stop, ended }
    current.set(key, own)
    before?.stop.abort(new AppError('CONFLICT', 'Another request continues this upload.'))
    await before?.ended.catch(() => undefined)
    started.resolve()
    return await ended.finally(() => {
      if (current.get(key) === own) current.delete(key)
    })
  }
}

async function* until(data: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = data[Symbol.asyncIterator]()
  for (;;) {
    const next = await untilAborted(chunks.next(), signal)
    if (next.done) return
    yield next.value
  }
}
