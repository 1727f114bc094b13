import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { CorePorts, CoreSettings } from '@palimpsest/core'
import { type ChatMessage, isToolPart } from '@palimpsest/core/domain'
import { expect } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../core/src/tool/tool.ts'
import { type CoreLab, openCoreLab } from './core-lab.ts'
import { createImpatientClock } from './fake-clock.ts'
import { openProviderModel, recordingOf } from './provider-streams.ts'
import { reduceBySdk } from './reduce-by-sdk.ts'
import type { ScriptedProvider } from './scripted-provider.ts'
import type { ScriptedReply } from './scripted-provider-reply.ts'

/** A tool that accepts any input. */
const look = defineTool({
  id: 'look',
  description: 'Looks',
  input: z.looseObject({}),
  requires: () => [],
  execute: () => Promise.resolve({ text: 'Seen' }),
})

/**
 * A core whose every model is the one that `openOnce` gives; windows have no limit, and each run makes one
 * model call and may use the tool `look`.
 */
export async function openModelLab(
  openOnce: (provider: ScriptedProvider) => LanguageModelV4,
  settings: Partial<CoreSettings> = {},
  ports: Partial<CorePorts> = {},
): Promise<CoreLab> {
  const lab = await openCoreLab(
    { clock: createImpatientClock(), ...ports },
    { runs: { maxTries: 1 }, ...settings, agent: { maxSteps: 1, tools: [look], ...settings.agent } },
    // The counts in streams are those of conversations larger than the lab's window; nothing is to be compacted here.
    { contextLimit: null },
  )
  const { models } = lab.ports
  const open = models.open
  let model: LanguageModelV4 | null = null
  models.open = async (ref) => {
    model ??= openOnce(lab.provider)
    const opened = await open(ref)
    // Without `store: false` OpenAI is asked to remember the reasoning itself.
    return { ...opened, model, providerOptions: { openai: { store: false } } }
  }
  return lab
}

/** Such a core with a provider of the format that a folder of streams is named for. */
export function openFormatLab(
  folder: string,
  settings: Partial<CoreSettings> = {},
  modelId = 'some-model',
  ports: Partial<CorePorts> = {},
): Promise<CoreLab> {
  return openModelLab((provider) => openProviderModel(provider, folder, modelId), settings, ports)
}

/** What a lab's core makes of one answer: the whole turn, its session untitled by any model. */
export async function turnOf(lab: CoreLab, answer: ScriptedReply) {
  lab.provider.script(answer)
  const { id } = await lab.sessions.create({ title: 'Streams' })
  const turn = await lab.turn('Hi', id)
  const message = turn.messages[1]
  if (message === undefined) throw new Error('The answer made no message')
  return { ...turn, message }
}

/** What a core makes of an answer with these events, which is what the AI SDK's own reducer makes of them. */
export async function replyOf(folder: string, events: readonly object[]) {
  await using lab = await openFormatLab(folder)
  const lines = events.map((event) => JSON.stringify(event))
  const turn = await turnOf(lab, recordingOf({ folder, lines }))
  expect(turn.message).toEqual(await reduceBySdk(turn.chunks))
  return turn
}

/** A message's parts in few words: `text: …`, `reasoning: …`, `look {…} output-available`, else the type. */
export function outlineOf({ parts }: ChatMessage): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'step-start' || part.type === 'custom') return []
    if (part.type === 'text' || part.type === 'reasoning') return [`${part.type}: ${part.text}`]
    if (!isToolPart(part)) return [part.type]
    const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
    return [`${name} ${JSON.stringify(part.input)} ${part.state}`]
  })
}
