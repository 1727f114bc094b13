import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Clock } from '../ports/index.ts'

type Part = LanguageModelV4StreamPart
type Delta = Extract<Part, { delta: string }>

/** Deltas of one answer that are passed on one by one: the SDK sorts the times of all at the end. */
const ONE_BY_ONE = 20_000
/** Characters of gathered deltas. */
const GATHERED_CHARACTERS = 4_096

/**
 * Passes the first deltas of an answer on as they come, and from then on those as one that are there at once. No delta
 * waits for longer than a turn of the event loop.
 */
export function gatherDeltas(
  stream: ReadableStream<Part>,
  { turn }: Pick<Clock, 'turn'>,
): ReadableStream<Part> {
  const reader = stream.getReader()
  let reading: Promise<ReadableStreamReadResult<Part>> | null = null
  let passed = 0

  async function read(): Promise<Part | null> {
    reading ??= reader.read()
    const { done, value } = await reading
    reading = null
    return done ? null : value
  }

  /** The next part if it is there within a turn; it is left to be read. */
  async function peek(): Promise<Part | null> {
    reading ??= reader.read()
    // What fails is left to be read as well: the gathered deltas come first.
    const next = await Promise.race([reading, turn()]).catch(() => undefined)
    return next?.value ?? null
  }

  async function gather(first: Delta): Promise<Delta> {
    const pieces = [first.delta]
    let characters = first.delta.length
    while (characters < GATHERED_CHARACTERS) {
      const next = await peek()
      if (next === null || !continues(first, next)) break
      await read()
      pieces.push(next.delta)
      characters += next.delta.length
    }
    return { ...first, delta: pieces.join('') }
  }

  return new ReadableStream<Part>(
    {
      async pull(out) {
        const part = await read()
        if (part === null) return out.close()
        if (!isDelta(part)) return out.enqueue(part)
        passed += 1
        out.enqueue(passed > ONE_BY_ONE ? await gather(part) : part)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function isDelta(part: Part): part is Delta {
  return part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
}

function continues(first: Delta, next: Part): next is Delta {
  return (
    isDelta(next) && next.type === first.type && next.id === first.id && next.providerMetadata === undefined
  )
}
