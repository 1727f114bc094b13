import { IconButton, LineageCrumbs, MenuItem, MenuSeparator, useMessages, useShell } from '@palimpsest/ui'
import { ListTree, type LucideIcon, MessageCircleQuestionMark, Network } from 'lucide-react'
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

/** The ways into history, in the header of wide screens. */
export function HeaderHistory({ history }: { history: History }) {
  const shell = useShell()
  if (shell?.narrow) return null
  return waysOf(history).map(({ name, Icon, run, pressed }) => (
    <IconButton key={name} label={name} tooltipSide="bottom" aria-pressed={pressed} onClick={run}>
      <Icon aria-hidden size={17} />
    </IconButton>
  ))
}

/** The same in the menu of narrow ones. */
export function MenuHistory({ history }: { history: History }) {
  const shell = useShell()
  if (!shell?.narrow) return null
  return (
    <>
      {waysOf(history).map(({ name, Icon, run }) => (
        <MenuItem key={name} icon={<Icon aria-hidden size={15} />} onSelect={run}>
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
    </>
  )
}

type Way = { name: string; Icon: LucideIcon; run: () => void; pressed?: boolean }

function waysOf({ view, change, setDialog }: History): Way[] {
  const beside = (panel: 'timeline' | 'side') => ({
    pressed: view.panel === panel,
    run: () => change({ panel: view.panel === panel ? null : panel }),
  })
  return [
    { name: words.ways.side, Icon: MessageCircleQuestionMark, ...beside('side') },
    { name: words.ways.tree, Icon: Network, run: () => setDialog('tree') },
    { name: words.ways.timeline, Icon: ListTree, ...beside('timeline') },
  ]
}
