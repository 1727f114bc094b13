import { type ChatMessage, isToolPart } from '@palimpsest/core/domain'
import type { WaysOut } from '@palimpsest/ui'
import type { WorkspaceAccess } from '../list/workspace-context.tsx'
import { branchPoint } from './actions/branch-point.ts'
import type { HistoryCommands } from './actions/use-history-commands.ts'

/** What can make a conversation fit the window of its model again, by what is in it. */
export function waysOutOf(
  shown: readonly ChatMessage[],
  usable: number | null,
  { compact, prune, branch }: Pick<HistoryCommands, 'compact' | 'prune' | 'branch'>,
  makeWish: WorkspaceAccess['makeWish'],
): WaysOut {
  const earlier = shown.slice(
    0,
    shown.findLastIndex(({ role }) => role === 'user'),
  )
  const onChooseModel = () => makeWish('choose-model')
  // Where nothing is before the message that is too long, nothing can be taken away.
  if (!earlier.some(({ role }) => role === 'assistant')) return { onChooseModel }
  const point = branchPoint(earlier, usable ?? 0)
  return {
    onCompact: compact,
    ...(earlier.some(hasOutput) && { onPrune: prune }),
    onLeaveOut: () => makeWish('window'),
    ...(point !== null && { onBranch: () => branch(point.messageId) }),
    onChooseModel,
  }
}

function hasOutput({ parts }: ChatMessage): boolean {
  return parts.some((part) => isToolPart(part) && part.state === 'output-available')
}
