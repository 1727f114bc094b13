import type { ChatMessage } from '@palimpsest/core/domain'
import type { SessionState } from '../../session/session-state.ts'
import { shownMessages } from '../../session/thread-view.ts'
import type { App } from '../../stores/app.ts'
import type { HistoryCommand } from '../../stores/history-memory.ts'
import { historyWords as words } from '../../words/en-history.ts'
import type { HistoryDialog } from './history-dialog.ts'
import type { HistoryCommands } from './use-history-commands.ts'
import type { useHistoryView } from './use-history-view.ts'
import type { useLineage } from './use-lineage.ts'

type View = ReturnType<typeof useHistoryView>

type Acting = {
  state: SessionState
  view: View[0]
  change: View[1]
  commands: HistoryCommands
  lineage: ReturnType<typeof useLineage>
  setDialog: (dialog: HistoryDialog | null) => void
  find: { open: () => void }
}

/** What can be done to the history by name. What has nothing to act on says so. */
export function historyCommands(
  { state, view, change, commands, lineage, setDialog, find }: Acting,
  { router, toasts }: App,
): HistoryCommand[] {
  const shown = shownMessages(state)
  const last = shown.at(-1)
  const beside = (panel: 'timeline' | 'changes' | 'side') => () =>
    change({ panel: view.panel === panel ? null : panel })
  const say = (message: string) => toasts.add({ tone: 'info', message })
  // What it opened would be seen only once the first message is sent.
  const inChat = (act: () => void) => () => (isNew(state) ? say(words.nothingYet) : act())

  function compare(): void {
    const { current, ancestors, root } = lineage ?? { current: '', ancestors: [], root: null }
    const other = ancestors.at(-1) ?? root?.children[0]?.session.id
    if (other === undefined) say(words.nothingToCompare)
    else router.push({ sessionId: null, anchor: null, compare: { left: other, right: current } })
  }

  const run: [name: keyof typeof words.commands, act: () => void][] = [
    ['find', inChat(find.open)],
    ['questions', inChat(() => setDialog('questions'))],
    ['rewind', () => (mayHavePrompts(state, shown) ? setDialog('prompts') : say(words.nothingToRewind))],
    ['branch', () => (last === undefined ? say(words.nothingToBranch) : commands.branch(last.id))],
    ['compact', inChat(commands.compact)],
    ['prune', inChat(commands.prune)],
    ['timeline', inChat(beside('timeline'))],
    ['changes', inChat(beside('changes'))],
    ['tree', inChat(() => setDialog('tree'))],
    ['compare', compare],
    ['side', () => (last === undefined ? say(words.nothingToBranch) : beside('side')())],
  ]
  return run.map(([name, act]) => ({ name, description: words.commands[name], run: act }))
}

/** Whether it is a chat before its first message. */
function isNew({ phase, session, outgoing }: SessionState): boolean {
  return phase === 'ready' && session === null && outgoing.length === 0
}

/** What is not loaded yet may hold a message of theirs; the list of them fills as it comes. */
function mayHavePrompts({ phase, older }: SessionState, shown: readonly ChatMessage[]): boolean {
  return phase !== 'ready' || older.cursor !== null || shown.some(({ role }) => role === 'user')
}
