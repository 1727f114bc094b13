import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { type ChatMessage, type ChatPart, isToolPart, NO_TOKENS, totalTokens } from '@palimpsest/core/domain'
import { expect } from 'vitest'
import { modelOutput, type OutputVisibility } from '../../../core/src/context/model-output.ts'
import { condensedText, summaryText } from '../../../core/src/context/model-view.ts'
import { visibleNow } from '../../../core/src/history/plan/view.ts'
import { measureWindow } from '../../../core/src/history/read/measure-window.ts'
import { tokensOf } from './fake-models.ts'
import type { ModelSession, ModelWorld } from './model-world.ts'
import { canUnrewind } from './reference.ts'

/** Invariants of a session after every command. */
export async function checkSession(world: ModelWorld, session: ModelSession): Promise<void> {
  const { id: sessionId, reference, finished, whole } = session
  const { items: every } = await world.sessions.messages({ sessionId, limit: 200, hidden: true })
  const visible = inOrder(every.filter(({ metadata }) => metadata?.hiddenAt === undefined))
  expect(visible.map(({ id }) => id)).toEqual(reference.visible)

  // Nothing is ever deleted or changed, and every message comes from a command.
  expect(new Set(every.map(({ id }) => id))).toEqual(new Set(reference.known.keys()))
  for (const { id, parts } of every) {
    const held = finished.get(id)
    if (held !== undefined) expect(JSON.stringify(parts)).toBe(held)
  }

  for (const { id, metadata } of every) expect(metadata?.leftOut === true).toBe(reference.leftOut.has(id))

  for (const { metadata } of every)
    for (const [callId, { unused = false }] of Object.entries(metadata?.condensed ?? {}))
      expect(unused).toBe(whole.has(callId))

  const view = await world.sessions.get(sessionId)
  const spent = every.map(({ metadata }) => totalTokens(metadata?.usage ?? NO_TOKENS))
  expect(view.totalTokens).toBe(spent.reduce((sum, tokens) => sum + tokens, 0))
  expect(view.canUnrewind).toBe(canUnrewind(reference))
  await checkMeter(world, sessionId, view.contextWindow)
}

/** The window equals a new computation of it, and is marked as counted only when nothing came after the count. */
async function checkMeter(
  { ports }: ModelWorld,
  sessionId: string,
  { used, estimated }: { used: number; estimated: boolean },
): Promise<void> {
  const session = await ports.store.sessions.get(sessionId)
  if (session === null) throw new Error('The session is gone')
  const outline = await ports.store.history.outline(sessionId)
  const again = await measureWindow(session, outline, visibleNow(outline), ports)
  expect(estimated).toBe(again.contextEstimated)
  // Where nothing is counted, the meter adds an estimate of the system prompt and the tools.
  if (again.bare) expect(used).toBeGreaterThan(again.contextTokens)
  else expect(used).toBe(again.contextTokens)
}

/** The last model call contains what is visible before its reply: nothing hidden, nothing lost, nothing twice. */
export function checkPrompt(world: ModelWorld, visible: readonly ChatMessage[]): void {
  const prompt = world.models.prompts.at(-1)
  if (prompt === undefined) return
  const spoken = inOrder(visible).slice(0, -1)
  const expected = spoken.filter(({ metadata }) => !metadata?.leftOut).flatMap(linesOf)
  // A conversation begins with a user's message, which may have been left out.
  const sent = toLines(prompt).filter((line) => line !== 'user: (blank message)')
  expect(sent.slice(0, expected.length)).toEqual(expected)
  // What comes after it is the reply's own first step.
  expect(sent.slice(expected.length).filter((line) => line.startsWith('user: '))).toEqual([])
  checkToolResults(prompt)
}

/** The meter agrees with what the provider would count, exactly where it says so. */
export function checkCount(world: ModelWorld, used: number, written: number): void {
  const prompt = world.models.prompts.at(-1)
  if (prompt !== undefined) expect(used).toBe(tokensOf(prompt) + written)
}

function checkToolResults(prompt: LanguageModelV4Prompt): void {
  const calls: string[] = []
  const results: string[] = []
  for (const message of prompt) {
    if (message.role === 'system' || message.role === 'user') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') calls.push(part.toolCallId)
      if (part.type === 'tool-result') results.push(part.toolCallId)
    }
  }
  expect(results).toEqual(calls)
}

/** Summary first, as the model sees it. */
function inOrder(visible: readonly ChatMessage[]): ChatMessage[] {
  return [
    ...visible.filter(({ metadata }) => metadata?.summary),
    ...visible.filter(({ metadata }) => !metadata?.summary),
  ]
}

function linesOf({ role, metadata, parts }: ChatMessage): string[] {
  return parts.flatMap((part, index) => {
    const pruned = metadata?.prunedParts?.includes(index) === true
    return linesOfPart(role, part, { pruned, condensed: condensedText(part, metadata?.condensed) })
  })
}

function linesOfPart(role: string, part: ChatPart, as: OutputVisibility): string[] {
  const summary = summaryText(part)
  if (summary !== null)
    return [`user: <summary-of-earlier-conversation>\n${summary}\n</summary-of-earlier-conversation>`]
  if (part.type === 'text') return part.text === '' ? [] : [`${role}: ${part.text}`]
  if (!isToolPart(part) || part.state !== 'output-available') return []
  const { text } = modelOutput(part.output, as) as { text: string }
  return [`call: ${JSON.stringify(part.input)}`, `result: ${text}`]
}

function toLines(prompt: LanguageModelV4Prompt): string[] {
  return prompt.flatMap((message) => {
    if (message.role === 'system') return []
    return message.content.flatMap((part) => {
      if (part.type === 'text') return [`${message.role}: ${part.text}`]
      if (part.type === 'tool-call') return [`call: ${JSON.stringify(part.input)}`]
      if (part.type === 'tool-result') return [`result: ${'value' in part.output ? part.output.value : ''}`]
      return []
    })
  })
}
