import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { systemClock } from '@palimpsest/core'
import { type Connection, openModel } from '../../core/src/model/providers/open-model.ts'
import type { ScriptedProvider } from './scripted-provider.ts'
import { recording, type ScriptedReply } from './scripted-provider-reply.ts'

/** A provider's answer, recorded or written by hand; one event (JSON) a line. */
export type ProviderStream = {
  /** Names the format, such as `openai-responses`. */
  folder: string
  name: string
  lines: string[]
}

const REPOSITORY = resolve(import.meta.dirname, '../../..')

/** Where recorded streams are looked for: `PROVIDER_STREAMS`, or beside the repository. */
export const RECORDED_STREAMS_FOLDER = resolve(
  REPOSITORY,
  process.env['PROVIDER_STREAMS'] ?? '../shared/fixtures/provider-streams',
)

/** The streams in our own words, in each documented format; these are always there. */
export const WRITTEN_STREAMS_FOLDER = join(import.meta.dirname, 'streams')

/** Every stream below a folder of the layout `<format>/<name>.chunks.txt`; none when the folder is not there. */
export function loadProviderStreams(root: string): ProviderStream[] {
  if (!existsSync(root)) return []
  return directories(root).flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.chunks.txt'))
      .sort()
      .map((file) => ({
        folder,
        name: file.replace(/\.chunks\.txt$/, ''),
        lines: readFileSync(join(root, folder, file), 'utf8')
          .split('\n')
          .filter((line) => line.trim() !== ''),
      })),
  )
}

/** Those of them whose answer is whole, with no error in it. */
export function loadSoundStreams(root: string): ProviderStream[] {
  return loadProviderStreams(root).filter((stream) => !reportsError(stream))
}

/** Events with which a provider says that it failed, or could not put a call into words. */
const FAILURE =
  /^\{"type":"error"|"type":"response\.(failed|cancelled)"|"finish_?[rR]eason":"(error|MALFORMED_\w+)"/

/** Whether the provider itself says that its answer is none. */
export function reportsError({ lines }: Pick<ProviderStream, 'lines'>): boolean {
  return lines.some((line) => {
    const event: unknown = JSON.parse(line)
    const hasError = typeof event === 'object' && event !== null && 'error' in event && Boolean(event.error)
    return hasError || FAILURE.test(JSON.stringify(event))
  })
}

/** Queues the stream at the provider and opens the real package's model that will ask for it. */
export function serveProviderStream(provider: ScriptedProvider, stream: ProviderStream): LanguageModelV4 {
  provider.script(recordingOf(stream))
  return openProviderModel(provider, stream.folder, modelIdOf(stream))
}

/** The stream as its provider would send it. */
export function recordingOf({ folder, lines }: Pick<ProviderStream, 'folder' | 'lines'>): ScriptedReply {
  return recording(lines, { done: formatOf(folder).done })
}

/** The real package's model for a format, pointed at the provider. */
export function openProviderModel(
  provider: ScriptedProvider,
  folder: string,
  modelId: string,
): LanguageModelV4 {
  const { connection } = formatOf(folder)
  return openModel(
    { ...connection, baseURL: provider.baseURL, apiKey: 'none', providerId: 'recorded' },
    modelId,
    systemClock,
  ).model
}

type Format = { connection: Pick<Connection, 'kind' | 'api'>; done: boolean }

function formatOf(folder: string): Format {
  if (folder.startsWith('anthropic-')) return { connection: { kind: 'anthropic' }, done: false }
  if (folder.startsWith('google-')) return { connection: { kind: 'google' }, done: false }
  if (folder.endsWith('-responses')) return { connection: { kind: 'openai', api: 'responses' }, done: false }
  if (folder === 'openai-chat') return { connection: { kind: 'openai', api: 'chat' }, done: true }
  if (folder.endsWith('-chat')) return { connection: { kind: 'openai-compatible' }, done: true }
  throw new Error(`No provider package is known for streams of the format ${folder}`)
}

/** The model that answered, because the packages read some models' answers differently. */
export function modelIdOf({ lines }: ProviderStream): string {
  const found = lines
    .map((line) => /"model(?:Version)?":"([^"]+)"/.exec(line)?.[1])
    .find((id) => id !== undefined)
  return found ?? 'recorded-model'
}

function directories(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
