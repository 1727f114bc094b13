import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { isJsonNestedBeyond, isNestedBeyond } from '../../domain/json/nesting.ts'
import { PROVIDER_LIMITS } from '../../domain/model/provider-limits.ts'
import { RefusedAnswerError } from '../../model/refused-answer.ts'
import type { Clock } from '../../ports/index.ts'

type Part = LanguageModelV4StreamPart

/**
 * Counts the parts of one answer, and returns each that is within the bounds; null for one that is only counted. Throws a
 * `RefusedAnswerError` as soon as the answer is past a bound.
 */
export function createPartCheck(clock: Pick<Clock, 'elapsed'>): (part: Part) => Part | null {
  const limits = PROVIDER_LIMITS
  const begunAt = clock.elapsed()
  /** Characters of arguments by the call's id. */
  const calls = new Map<string, number>()
  const counts = { characters: 0, begun: 0, calls: 0, parts: 0, thought: 0, unreadable: 0 }
  const empty = { inARow: 0, total: 0 }

  function addText(text: string) {
    counts.characters += text.length
    if (counts.characters > limits.replyCharacters)
      throw refused(`a reply of more than ${count(limits.replyCharacters)} characters`)
    if (text !== '') addContent()
  }

  /** Counts an event as empty until content comes of it. */
  function addEvent() {
    empty.inARow += 1
    empty.total += 1
    if (empty.inARow > limits.emptyEvents)
      throw refused(`more than ${count(limits.emptyEvents)} events in a row without content`)
    if (empty.total > limits.emptyEventsInAll)
      throw refused(`more than ${count(limits.emptyEventsInAll)} events without content`)
  }

  function addContent() {
    if (empty.inARow > 0) empty.total -= 1
    empty.inARow = 0
  }

  function addThought(characters: number) {
    counts.thought += characters
    if (counts.thought > limits.thoughtCharacters)
      throw refused(`a thought of more than ${count(limits.thoughtCharacters)} characters`)
  }

  function addArguments(id: string, characters: number) {
    calls.set(id, characters)
    if (characters > limits.argumentCharacters)
      throw refused(`a tool call with more than ${count(limits.argumentCharacters)} characters of arguments`)
  }

  function addUnreadable() {
    counts.unreadable += 1
    if (counts.unreadable > limits.unreadableEvents)
      throw refused(`more than ${count(limits.unreadableEvents)} events that can't be read`)
  }

  function checkTime() {
    if (clock.elapsed() - begunAt > limits.answerMs)
      throw refused(`an answer that took longer than ${limits.answerMs / 3_600_000} hours`)
  }

  function addPart(part: Part) {
    addContent()
    counts.parts += 1
    if (counts.parts > limits.partsPerStep)
      throw refused(`a reply of more than ${count(limits.partsPerStep)} parts`)
    checkNesting(part)
  }

  function checkNesting(data: unknown) {
    if (isNestedBeyond(data, limits.nesting))
      throw refused(`data that is nested deeper than ${limits.nesting} levels`)
  }

  function addCall(number: number) {
    if (number > limits.callsPerStep) throw refused(`more than ${limits.callsPerStep} tool calls in one step`)
  }

  return (part) => {
    checkTime()
    switch (part.type) {
      case 'text-delta':
        addText(part.delta)
        checkNesting(part.providerMetadata)
        return part
      case 'reasoning-delta':
        addText(part.delta)
        addThought(part.delta.length)
        checkNesting(part.providerMetadata)
        return part
      case 'reasoning-start':
        counts.thought = 0
        addPart(part)
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
        return isJsonNestedBeyond(part.input, limits.nesting)
          ? { ...part, input: `${TOO_DEEP}${part.input}` }
          : part
      case 'raw':
        addEvent()
        return null
      case 'stream-start':
      case 'response-metadata':
      case 'finish':
        return part
      case 'error':
        addUnreadable()
        return part
      case 'text-end':
      case 'reasoning-end':
      case 'tool-input-end':
        checkNesting(part)
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
