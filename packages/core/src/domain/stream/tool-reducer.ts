import type { ChatChunk, ChatPart } from '../message/message.ts'
import { isToolPart } from '../message/message.ts'

/** A tool part with every field that any of its states may carry. */
type ToolPart = {
  type: string
  toolName?: string
  toolCallId: string
  state: string
  [field: string]: unknown
}

/** The parts after a tool chunk, which finds its part by the call's id: in the current step first, then anywhere. */
export function reduceToolChunk(parts: ChatPart[], chunk: ChatChunk): ChatPart[] {
  switch (chunk.type) {
    case 'tool-input-start':
      return upsertCall(parts, chunk, {
        ...stateFields('input-streaming'),
        inputEncoding: chunk.inputEncoding,
        ...callFields(chunk),
      })
    case 'tool-input-delta':
      return change(parts, findStreaming(parts, chunk.toolCallId), (part) => ({
        ...part,
        state: 'input-streaming',
        rawInput: String(part['rawInput'] ?? '') + chunk.inputTextDelta,
      }))
    case 'tool-input-available':
      return upsertCall(parts, chunk, {
        ...stateFields('input-available'),
        input: chunk.input,
        ...callFields(chunk),
      })
    case 'tool-input-error':
      return upsertCall(
        parts,
        { ...chunk, ...dynamicOf(parts, chunk) },
        {
          ...stateFields('output-error'),
          input: chunk.input,
          errorText: chunk.errorText,
          ...callFields({ ...chunk, title: undefined, providerMetadata: undefined }),
          ...defined({ resultProviderMetadata: chunk.providerMetadata }),
        },
      )
    case 'tool-output-available':
      return change(parts, findCall(parts, chunk.toolCallId), (part) => ({
        ...part,
        ...stateFields('output-available'),
        input: part['input'],
        output: chunk.output,
        preliminary: chunk.preliminary,
        ...resultFields(part, chunk),
      }))
    case 'tool-output-error':
      return change(parts, findCall(parts, chunk.toolCallId), (part) => ({
        ...part,
        ...stateFields('output-error'),
        input: part['input'],
        ...(part.type === 'dynamic-tool' ? {} : { rawInput: part['rawInput'] }),
        errorText: chunk.errorText,
        ...resultFields(part, chunk),
      }))
    case 'tool-output-denied':
      return change(parts, findCall(parts, chunk.toolCallId), (part) => ({ ...part, state: 'output-denied' }))
    case 'tool-approval-request':
      return change(parts, findCall(parts, chunk.toolCallId), (part) => ({
        ...part,
        state: 'approval-requested',
        approval: approvalRequest(chunk),
      }))
    case 'tool-approval-response':
      return change(parts, findApproval(parts, chunk.approvalId), (part) => ({
        ...part,
        state: 'approval-responded',
        approval: {
          ...asObject(part['approval']),
          id: chunk.approvalId,
          approved: chunk.approved,
          ...(chunk.reason !== undefined && { reason: chunk.reason }),
        },
        ...(chunk.providerExecuted !== undefined && { providerExecuted: chunk.providerExecuted }),
        ...(chunk.providerMetadata && { callProviderMetadata: chunk.providerMetadata }),
      }))
    default:
      return parts
  }
}

/** A state change drops what belonged to the state before. */
function stateFields(state: string) {
  return {
    state,
    input: undefined,
    rawInput: undefined,
    inputEncoding: undefined,
    output: undefined,
    errorText: undefined,
    preliminary: undefined,
  }
}

type CallChunk = Extract<
  ChatChunk,
  { type: 'tool-input-start' | 'tool-input-available' | 'tool-input-error' }
>
type ResultChunk = Extract<ChatChunk, { type: 'tool-output-available' | 'tool-output-error' }>

function callFields(chunk: {
  title?: string | undefined
  toolMetadata?: unknown
  providerExecuted?: boolean
  providerMetadata?: unknown
}) {
  return defined({
    title: chunk.title,
    toolMetadata: chunk.toolMetadata,
    providerExecuted: chunk.providerExecuted,
    callProviderMetadata: chunk.providerMetadata,
  })
}

function resultFields(part: ToolPart, chunk: ResultChunk) {
  return defined({
    providerExecuted: chunk.providerExecuted ?? part['providerExecuted'],
    toolMetadata: chunk.toolMetadata ?? part['toolMetadata'],
    resultProviderMetadata: chunk.providerMetadata,
  })
}

function approvalRequest(chunk: Extract<ChatChunk, { type: 'tool-approval-request' }>) {
  return defined({
    id: chunk.approvalId,
    descriptor: chunk.approvalDescriptor,
    inputSchemaInput: chunk.inputSchemaInput,
    requestReason: chunk.reason,
    isAutomatic: chunk.isAutomatic || undefined,
    signature: chunk.signature,
  })
}

function upsertCall(parts: ChatPart[], chunk: CallChunk, fields: Record<string, unknown>): ChatPart[] {
  const type = chunk.dynamic ? 'dynamic-tool' : `tool-${chunk.toolName}`
  const identity = { type, ...(chunk.dynamic && { toolName: chunk.toolName }), toolCallId: chunk.toolCallId }
  const index = findInStep(
    parts,
    (part) =>
      part.toolCallId === chunk.toolCallId && (part.type === 'dynamic-tool') === (chunk.dynamic === true),
  )
  if (index === -1) return [...parts, toPart({ state: '', ...identity, ...fields })]
  return change(parts, index, (part) => ({ ...part, ...identity, ...fields }))
}

function dynamicOf(parts: ChatPart[], chunk: CallChunk): { dynamic: boolean } {
  const existing = parts[findInStep(parts, (part) => part.toolCallId === chunk.toolCallId)]
  return { dynamic: existing === undefined ? chunk.dynamic === true : existing.type === 'dynamic-tool' }
}

function findInStep(
  parts: ChatPart[],
  matches: (part: { type: string; toolCallId: string; state: string }) => boolean,
): number {
  const start = parts.findLastIndex((part) => part.type === 'step-start')
  return parts.findIndex((part, index) => index > start && isToolPart(part) && matches(part))
}

/** Of calls under one id the one whose arguments are on their way. */
function findStreaming(parts: ChatPart[], toolCallId: string): number {
  const streaming = findInStep(
    parts,
    (part) => part.toolCallId === toolCallId && part.state === 'input-streaming',
  )
  return streaming === -1 ? findCall(parts, toolCallId) : streaming
}

function findCall(parts: ChatPart[], toolCallId: string): number {
  const inStep = findInStep(parts, (part) => part.toolCallId === toolCallId)
  return inStep !== -1
    ? inStep
    : parts.findLastIndex((part) => isToolPart(part) && part.toolCallId === toolCallId)
}

function findApproval(parts: ChatPart[], approvalId: string): number {
  return parts.findIndex((part) => isToolPart(part) && part.approval?.id === approvalId)
}

function change(parts: ChatPart[], index: number, update: (part: ToolPart) => ToolPart): ChatPart[] {
  const part = parts[index]
  if (part === undefined || !isToolPart(part)) return parts
  return parts.with(index, toPart(update({ ...part })))
}

/** The states of a tool part are a union whose fields this module keeps right; the compiler can't follow that. */
function toPart(part: ToolPart): ChatPart {
  return defined(part) as unknown as ChatPart
}

function defined(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
