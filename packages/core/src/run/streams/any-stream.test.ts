import {
  loadProviderStreams,
  recordingOf,
  WRITTEN_STREAMS_FOLDER,
} from '@palimpsest/testing/provider-streams.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { openFormatLab } from '@palimpsest/testing/stream-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const RUNS = process.env['TEST_PROFILE'] === 'long' ? 2_000 : 30

const written = loadProviderStreams(WRITTEN_STREAMS_FOLDER)
const formats = Map.groupBy(written, ({ folder }) => folder)
const sound = /text-cached-prompt|cache-hit-tokens|redacted-thinking|tool-use-prompt|encrypted-reasoning/

type Change = { at: number; kind: 'drop' | 'repeat' | 'swap' | 'alter'; place: number; value: unknown }

const changes = fc.array(
  fc.record({
    at: fc.nat(),
    kind: fc.constantFrom<Change['kind'][]>('drop', 'repeat', 'swap', 'alter', 'alter'),
    place: fc.nat(),
    value: fc.constantFrom<unknown>(null, 0, -1, 7, '', 'text', true, [], {}, 'other'),
  }),
  { minLength: 1, maxLength: 4 },
)

/** The lines with something done to one of them. */
function changed(lines: readonly string[], { at, kind, place, value }: Change): string[] {
  const index = at % Math.max(1, lines.length)
  const line = lines[index]
  if (line === undefined) return []
  if (kind === 'drop') return lines.toSpliced(index, 1)
  if (kind === 'repeat') return lines.toSpliced(index, 0, line)
  if (kind === 'alter') return lines.with(index, altered(line, place, value))
  const other = place % lines.length
  return lines.with(index, lines[other] ?? line).with(other, line)
}

/** The event with another value in one of its places. */
function altered(line: string, place: number, value: unknown): string {
  let count = 0
  JSON.parse(line, () => {
    count += 1
  })
  let seen = 0
  const event: unknown = JSON.parse(line, (_, inner: unknown) => (seen++ === place % count ? value : inner))
  return JSON.stringify(event)
}

test.for([...formats.keys()])(
  'RL-3 RU-2 whatever becomes of the events of %s, the run ends in a named state, what was shown is stored, and the next message is answered',
  { timeout: 600_000 },
  async (folder) => {
    const streams = formats.get(folder) ?? []
    const answer = streams.find(({ name }) => sound.test(name))
    if (answer === undefined) throw new Error(`There is no sound answer of ${folder}`)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...streams), changes, async (stream, done) => {
        const lines = done.reduce<string[]>(changed, stream.lines)
        await using lab = await openFormatLab(folder)
        const { id } = await lab.sessions.create({ title: 'Streams' })
        lab.provider.script(recordingOf({ folder, lines }))
        const { chunks, messages } = await lab.turn('Hi', id)
        const ends = chunks.filter(({ type }) => type === 'finish' || type === 'error')
        expect(ends).toHaveLength(1)
        expect(chunks.at(-1)).toEqual(ends[0])
        expect(messages).toHaveLength(2)
        expect(messages[1]).toEqual(await reduceBySdk(chunks))
        expect(messages[1]?.metadata?.finishReason).toEqual(expect.any(String))
        expect(['idle', 'error']).toContain((await lab.sessions.status(id)).state)
        lab.provider.script(recordingOf(answer))
        const next = await lab.turn('And then?', id)
        expect(next.messages.at(-1)?.metadata?.error).toBeUndefined()
        expect(JSON.stringify(lab.provider.requests.at(-1)?.body)).toContain('And then?')
      }),
      { numRuns: RUNS },
    )
  },
)
