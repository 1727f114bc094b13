import { IconButton, LineageCrumbs, useMessages } from '@palimpsest/ui'
import { ListTree, MessageCircleQuestionMark, Network } from 'lucide-react'
import { useWorkspace } from '../shell/workspace-context.tsx'
import { familyOf, findNode } from './forks.ts'
import type { History } from './use-history.tsx'
import { versionName } from './version-name.ts'

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

/** The ways into history, in the header. */
export function HeaderHistory({ history }: { history: History }) {
  const { history: words } = useMessages()
  const { view, change, setDialog } = history
  const toggle = (panel: 'timeline' | 'side') => change({ panel: view.panel === panel ? null : panel })
  return (
    <>
      <IconButton
        label={words.side.title}
        tooltipSide="bottom"
        aria-pressed={view.panel === 'side'}
        onClick={() => toggle('side')}
      >
        <MessageCircleQuestionMark aria-hidden size={17} />
      </IconButton>
      <IconButton label={words.tree.open} tooltipSide="bottom" onClick={() => setDialog('tree')}>
        <Network aria-hidden size={17} />
      </IconButton>
      <IconButton
        label={words.timeline.title}
        tooltipSide="bottom"
        aria-pressed={view.panel === 'timeline'}
        onClick={() => toggle('timeline')}
      >
        <ListTree aria-hidden size={17} />
      </IconButton>
    </>
  )
}
