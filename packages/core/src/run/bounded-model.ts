import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { jsonNestsDeeper, nestsDeeper } from '../domain/nesting.ts'
import { PROVIDER_LIMITS } from '../domain/provider-limits.ts'
import { RefusedAnswerError } from '../model/refused-answer.ts'
import type { Clock } from '../ports/index.ts'

type Part = LanguageModelV4StreamPart

/** The model with streamed answers that end in a `RefusedAnswerError` as soon as they are past a bound. */
export function boundedModel(model: LanguageModelV4, clock: Pick<Clock, 'elapsed'>): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      async wrapStream({ doStream }) {
        const check = createPartCheck(clock)
        const { stream, ...answer } = await doStream()
        return { ...answer, stream: mapped(stream, check) }
      },
    },
  })
}

/** Written without `TransformStream`, which takes several times as long for each part. */
function mapped(source: ReadableStream<Part>, change: (part: Part) => Part): ReadableStream<Part> {
  const reader = source.getReader()
  return new ReadableStream<Part>(
    {
      async pull(out) {
        const { done, value } = await reader.read()
        if (done) return out.close()
        try {
          out.enqueue(change(value))
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

/** Counts the parts of one answer, and returns each within the bounds. */
function createPartCheck(clock: Pick<Clock, 'elapsed'>): (part: Part) => Part {
  const limits = PROVIDER_LIMITS
  const begunAt = clock.elapsed()
  /** Characters of arguments by the call's id. */
  const calls = new Map<string, number>()
  const counts = { characters: 0, begun: 0, calls: 0, parts: 0, empty: 0, unreadable: 0 }

  function addText(text: string) {
    counts.characters += text.length
    if (counts.characters > limits.replyCharacters)
      throw refused(`a reply of more than ${count(limits.replyCharacters)} characters`)
    if (text === '') addEmpty()
  }

  function addEmpty() {
    counts.empty += 1
    if (counts.empty > limits.emptyPieces)
      throw refused(`more than ${count(limits.emptyPieces)} pieces without content`)
  }

  function addArguments(id: string, characters: number) {
    calls.set(id, characters)
    if (characters > limits.argumentCharacters)
      throw refused(`a tool call with more than ${count(limits.argumentCharacters)} characters of arguments`)
  }

  function addPart(part: Part) {
    counts.parts += 1
    if (counts.parts > limits.partsPerStep)
      throw refused(`a reply of more than ${count(limits.partsPerStep)} parts`)
    checkNesting(part)
  }

  function checkNesting(data: unknown) {
    if (nestsDeeper(data, limits.nesting))
      throw refused(`data that is nested deeper than ${limits.nesting} levels`)
  }

  function addCall(number: number) {
    if (number > limits.callsPerStep) throw refused(`more than ${limits.callsPerStep} tool calls in one step`)
  }

  return (part) => {
    if (clock.elapsed() - begunAt > limits.answerMs)
      throw refused(`an answer that took longer than ${limits.answerMs / 3_600_000} hours`)
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        addText(part.delta)
        checkNesting(part.providerMetadata)
        return part
      case 'tool-input-delta':
        addText(part.delta)
        addArguments(part.id, (calls.get(part.id) ?? 0) + part.delta.length)
        return part
      case 'tool-input-start':
        addCall(++counts.begun)
        addPart(part)
        return part
      case 'tool-call':
        addCall(++counts.calls)
        addPart(part)
        if (!calls.has(part.toolCallId)) addText(part.input)
        addArguments(part.toolCallId, part.input.length)
        return jsonNestsDeeper(part.input, limits.nesting)
          ? { ...part, input: `${TOO_DEEP}${part.input}` }
          : part
      case 'stream-start':
      case 'response-metadata':
      case 'raw':
        addEmpty()
        return part
      case 'error':
        counts.unreadable += 1
        if (counts.unreadable > limits.unreadableEvents)
          throw refused(`more than ${count(limits.unreadableEvents)} events that can't be read`)
        return part
      case 'text-end':
      case 'reasoning-end':
      case 'tool-input-end':
        addEmpty()
        checkNesting(part)
        return part
      case 'finish':
        return part
      default:
        addPart(part)
        return part
    }
  }
}

/** Put before arguments, it makes them no JSON, so that the SDK treats the call as invalid. */
const TOO_DEEP = `\u0000nested deeper than ${PROVIDER_LIMITS.nesting} levels\u0000`

/** The arguments of a call that was refused for their depth, as the model wrote them; null for any other input. */
export function tooDeepArguments(input: unknown): string | null {
  return typeof input === 'string' && input.startsWith(TOO_DEEP) ? input.slice(TOO_DEEP.length) : null
}

function refused(what: string): RefusedAnswerError {
  return new RefusedAnswerError(`The provider sent ${what}, which is the limit.`)
}

function count(value: number): string {
  return value.toLocaleString('en')
}
