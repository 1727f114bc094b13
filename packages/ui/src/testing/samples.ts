import type { ChatMessage, ChatPart, MessageMetadata, ModelInfo } from '@palimpsest/core/domain'
import type { SidebarSession } from '../sidebar/group-sessions.ts'
import type { ToolPart } from '../tool/tool-part.ts'

export function sampleMessage(
  id: string,
  role: ChatMessage['role'],
  parts: ChatPart[],
  metadata: Partial<MessageMetadata> = {},
): ChatMessage {
  return { id, role, parts, metadata: { schemaVersion: 1, createdAt: 0, ...metadata } }
}

export function textMessage(id: string, role: ChatMessage['role'], text: string): ChatMessage {
  return sampleMessage(id, role, [{ type: 'text', text, state: 'done' }])
}

export function toolCall(name: string, input: unknown, output?: unknown): ToolPart {
  const call = { type: 'dynamic-tool', toolName: name, toolCallId: `call-${name}` } as const
  return output === undefined
    ? { ...call, state: 'input-available', input }
    : { ...call, state: 'output-available', input, output }
}

export function sampleModel(modelId: string, facts: Partial<ModelInfo> = {}): ModelInfo {
  return {
    providerId: 'acme',
    providerLabel: 'Acme',
    modelId,
    label: modelId,
    contextLimit: 200_000,
    maxOutput: 32_000,
    prices: { input: 3, output: 15, cacheRead: null, cacheWrite: null },
    inputs: ['text'],
    tools: true,
    reasoning: true,
    variants: [],
    cheap: false,
    demo: false,
    ...facts,
  }
}

export function sampleSession(id: string, facts: Partial<SidebarSession> = {}): SidebarSession {
  return {
    id,
    title: `Title ${id}`,
    parentId: null,
    updatedAt: 0,
    archivedAt: null,
    deletedAt: null,
    status: { state: 'idle' },
    ...facts,
  }
}
