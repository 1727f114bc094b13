import { type ChatChunk, type ChatMessage, isToolPart } from '@palimpsest/core/domain'
import type { Api } from './api.ts'
import { appCodeOf } from './failures.ts'
import { untilReached } from './retry.ts'

/** A decision that a person made in the page, and that the server may not know yet. */
export type Approval = { toolCallId: string; approvalId: string; approved: boolean; reason?: string }

/** The decisions in the last step of a reply whose calls have no result. */
export function approvalsIn({ parts }: ChatMessage): Approval[] {
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
  return step.flatMap((part) => {
    if (!isToolPart(part) || part.state !== 'approval-responded' || part.approval.isAutomatic === true)
      return []
    const { id: approvalId, approved, reason } = part.approval
    return [{ toolCallId: part.toolCallId, approvalId, approved, ...(reason !== undefined && { reason }) }]
  })
}

/** Replies to the asks, each once. One that is resolved by now keeps its first reply. */
export async function replyTo(
  client: Pick<Api, 'permission'>,
  approvals: readonly Approval[],
): Promise<void> {
  for (const { approvalId, approved, reason } of approvals) {
    const reply = approved
      ? ({ permissionId: approvalId, reply: 'once' } as const)
      : ({ permissionId: approvalId, reply: 'deny', ...(reason !== undefined && { reason }) } as const)
    try {
      await untilReached(() => client.permission.reply.mutate(reply))
    } catch (error) {
      if (appCodeOf(error) !== 'CONFLICT') throw error
    }
  }
}

/**
 * Lets pass of a run that is read from its start what came after its pause: the page has the rest, and would show parts twice.
 */
export function chunksAfter(approvals: readonly Approval[]): (chunk: ChatChunk) => boolean {
  const asked = new Set(approvals.flatMap(({ toolCallId, approvalId }) => [toolCallId, approvalId]))
  let requests = approvals.length
  let isLater = false
  return (chunk) => {
    if (chunk.type === 'tool-approval-request' && asked.has(chunk.approvalId)) requests -= 1
    else if (requests <= 0) isLater ||= asked.has(subjectOf(chunk)) || isEnd(chunk)
    return isLater
  }
}

/** Follows whether nothing more of a run can come before a person decides about its calls. */
export function createPauseWatch(): { note(chunk: ChatChunk): void; readonly asked: readonly string[] } {
  const working = new Set<string>()
  const asking = new Map<string, string>()

  function end(toolCallId: string): void {
    working.delete(toolCallId)
    for (const [approvalId, asked] of asking) if (asked === toolCallId) asking.delete(approvalId)
  }

  return {
    note(chunk) {
      if (chunk.type === 'tool-input-available') working.add(chunk.toolCallId)
      else if (chunk.type === 'tool-approval-request' && chunk.isAutomatic !== true) {
        working.delete(chunk.toolCallId)
        asking.set(chunk.approvalId, chunk.toolCallId)
      } else if (chunk.type === 'tool-approval-response') {
        const decided = asking.get(chunk.approvalId)
        asking.delete(chunk.approvalId)
        if (decided !== undefined) working.add(decided)
      } else if (chunk.type === 'tool-output-available' && chunk.preliminary !== true) end(chunk.toolCallId)
      else if (ENDINGS.has(chunk.type)) end(subjectOf(chunk))
    },
    /** The asks that the run waits for alone; none while anything of it works. */
    get asked() {
      return working.size > 0 ? [] : [...asking.keys()]
    },
  }
}

const ENDINGS: ReadonlySet<string> = new Set<ChatChunk['type']>([
  'tool-input-error',
  'tool-output-error',
  'tool-output-denied',
])

function subjectOf(chunk: ChatChunk): string {
  if (chunk.type === 'tool-approval-response') return chunk.approvalId
  return 'toolCallId' in chunk ? chunk.toolCallId : ''
}

function isEnd({ type }: ChatChunk): boolean {
  return type === 'finish' || type === 'abort' || type === 'error'
}
