import {
  Button,
  IconButton,
  LineageCrumbs,
  Menu,
  MenuItem,
  MenuSeparator,
  useMessages,
  useShell,
} from '@palimpsest/ui'
import {
  FileDiff,
  GitCommitVertical,
  History as HistoryIcon,
  List,
  ListTree,
  MessageCircleQuestionMark,
  Network,
  ScanSearch,
  Search,
} from 'lucide-react'
import { useWorkspace } from '../list/workspace-context.tsx'
import { familyOf, findNode } from '../session/forks.ts'
import { versionName } from '../session/version-name.ts'
import { historyWords as words } from '../words/en-history.ts'
import type { History } from './use-history.tsx'

/** Where the session branched from, in the header. */
export function HeaderLineage({ lineage }: Pick<History, 'lineage'>) {
  const { actions } = useWorkspace()
  const { versions } = useMessages().history
  if (lineage === null) return null
  const family = familyOf(lineage.root)
  const ancestors = lineage.ancestors.flatMap((id) => {
    const node = findNode(lineage.root, id)
    return node === null
      ? []
      : [{ id, name: versionName(node.session, family, versions), href: actions.hrefFor(id) }]
  })
  return <LineageCrumbs ancestors={ancestors} onSelect={actions.onSelect} />
}

/** The ways into history, behind one control. */
export function HeaderHistory({ history }: { history: History }) {
  const { view, change, setDialog, rail, setRail } = history
  const shell = useShell()
  const trigger = shell?.narrow ? (
    <IconButton label={words.group} tooltipSide="bottom">
      <HistoryIcon aria-hidden size={17} />
    </IconButton>
  ) : (
    <Button variant="quiet">
      <HistoryIcon aria-hidden size={16} />
      {words.group}
    </Button>
  )
  return (
    <Menu trigger={trigger}>
      <MenuItem icon={<List aria-hidden size={15} />} onSelect={() => setDialog('questions')}>
        {words.ways.questions}
      </MenuItem>
      <MenuItem
        icon={<ListTree aria-hidden size={15} />}
        onSelect={() => change({ panel: view.panel === 'timeline' ? null : 'timeline' })}
      >
        {words.ways.timeline}
      </MenuItem>
      <MenuItem
        icon={<FileDiff aria-hidden size={15} />}
        onSelect={() => change({ panel: view.panel === 'changes' ? null : 'changes' })}
      >
        {words.ways.changes}
      </MenuItem>
      <MenuItem icon={<Network aria-hidden size={15} />} onSelect={() => setDialog('tree')}>
        {words.ways.tree}
      </MenuItem>
      {shell?.narrow && (
        <MenuItem icon={<GitCommitVertical aria-hidden size={15} />} onSelect={() => setRail(!rail)}>
          {rail ? words.ways.hideRail : words.ways.rail}
        </MenuItem>
      )}
    </Menu>
  )
}

/** Find and a side question, in the menu of the chat. */
export function MenuHistory({ history: { view, change, find, store } }: { history: History }) {
  const { openInspect } = useWorkspace()
  return (
    <>
      {store.get().messages.length > 0 && (
        <MenuItem icon={<Search aria-hidden size={15} />} onSelect={find.open}>
          {words.ways.find}
        </MenuItem>
      )}
      <MenuItem
        icon={<MessageCircleQuestionMark aria-hidden size={15} />}
        onSelect={() => change({ panel: view.panel === 'side' ? null : 'side' })}
      >
        {words.ways.side}
      </MenuItem>
      <MenuItem
        icon={<ScanSearch aria-hidden size={15} />}
        onSelect={() => openInspect(store.get().sessionId)}
      >
        {words.ways.inspect}
      </MenuItem>
      <MenuSeparator />
    </>
  )
}
