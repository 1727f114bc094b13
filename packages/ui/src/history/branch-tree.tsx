import type { SessionStatus } from '@palimpsest/core/domain'
import { Columns2, CornerDownRight, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { cx } from '../primitives/cx.ts'
import { isPlainClick } from '../primitives/is-plain-click.ts'
import { StatusDot } from '../shell/status-dot.tsx'

/** A session in the tree of a family. */
export type BranchNode = {
  id: string
  name: string
  href: string
  /** The first words that are its own, if they are known. */
  says: string | null
  updatedAt: number
  status: SessionStatus
  /** True for a side question that is not kept as a branch. */
  side: boolean
  children: readonly BranchNode[]
}

export type BranchTreeActions = {
  onSelect: (sessionId: string) => void
  onCompare: (sessionId: string) => void
  onDelete: (sessionId: string) => void
}

export type BranchTreeProps = BranchTreeActions & {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Null while it is read. */
  root: BranchNode | null
  currentId: string
}

/** The whole family of a session: where it came from, where it went, and what each of them is doing. */
export function BranchTree({ open, onOpenChange, root, currentId, ...actions }: BranchTreeProps) {
  const { tree } = useMessages().history
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      closable
      title={tree.title}
      description={tree.lead}
      className="max-w-[40rem]"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: adds arrow keys to the links inside, which keep Tab and Enter */}
      <div onKeyDown={moveFocus} className="min-h-24 overflow-y-auto p-3">
        {root && (
          <ul>
            <Node node={root} currentId={currentId} depth={0} {...actions} />
          </ul>
        )}
        {root?.children.length === 0 && <p className="px-2.5 pt-2 text-sm text-muted">{tree.alone}</p>}
      </div>
    </Dialog>
  )
}

type NodeProps = BranchTreeActions & { node: BranchNode; currentId: string; depth: number }

function Node({ node, currentId, depth, ...actions }: NodeProps) {
  const { tree } = useMessages().history
  const current = node.id === currentId
  return (
    <li>
      <div
        className={cx(
          'group flex items-center gap-1 rounded-md pr-1 transition',
          current ? 'bg-rubric-wash' : 'hover:bg-wash',
        )}
      >
        <NodeLink node={node} current={current} depth={depth} onSelect={actions.onSelect} />
        {!current && (
          <span className="flex text-faint transition group-focus-within:text-muted group-hover:text-muted">
            <IconButton small label={tree.compare(node.name)} onClick={() => actions.onCompare(node.id)}>
              <Columns2 aria-hidden size={15} />
            </IconButton>
            {depth > 0 && (
              <IconButton small label={tree.remove(node.name)} onClick={() => actions.onDelete(node.id)}>
                <Trash2 aria-hidden size={15} />
              </IconButton>
            )}
          </span>
        )}
      </div>
      {node.children.length > 0 && (
        <ul className="ml-4 border-line border-l pl-1.5">
          {node.children.map((child) => (
            <Node key={child.id} node={child} currentId={currentId} depth={depth + 1} {...actions} />
          ))}
        </ul>
      )}
    </li>
  )
}

type NodeLinkProps = { node: BranchNode; current: boolean; depth: number; onSelect: (id: string) => void }

function NodeLink({ node, current, depth, onSelect }: NodeLinkProps) {
  const { tree } = useMessages().history
  const format = useFormat()
  const facts = [
    current ? tree.here : null,
    node.side ? tree.side : null,
    format.moment(node.updatedAt, Date.now()),
  ]
  return (
    <a
      data-branch
      href={node.href}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onSelect(node.id)
      }}
      className="flex min-h-11 min-w-0 grow items-center gap-2.5 rounded-md px-2.5 py-1.5 -outline-offset-2"
    >
      {depth > 0 && <CornerDownRight aria-hidden size={14} className="text-rubric" />}
      <span className="min-w-0 grow">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{node.name}</span>
          <StatusDot status={node.status} />
        </span>
        {node.says && <span className="block truncate text-sm text-muted">{node.says}</span>}
        <span className="block text-xs text-muted tabular-nums">
          {facts.filter((fact) => fact !== null).join(' · ')}
        </span>
      </span>
    </a>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-branch]')]
  const at = document.activeElement instanceof HTMLElement ? links.indexOf(document.activeElement) : -1
  const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (at < 0 || target === undefined) return
  event.preventDefault()
  links[Math.max(0, Math.min(target, links.length - 1))]?.focus()
}
