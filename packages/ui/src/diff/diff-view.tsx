import type { FileChange } from '@palimpsest/core/domain'
import { type ReactNode, useMemo } from 'react'
import { ExactLine, ExactPieces, FoldedLines, type Open } from '../exact/exact-lines.tsx'
import { exactPieces } from '../exact/exact-pieces.ts'
import { visibleText } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { allRows, type DiffRow } from './shown-diff.ts'

const LOOK: Record<DiffLine['kind'], { sign: string; line: string; mark: string }> = {
  added: { sign: '+', line: 'bg-good-wash', mark: 'text-good' },
  removed: { sign: '−', line: 'bg-danger-wash', mark: 'text-danger' },
  same: { sign: ' ', line: '', mark: '' },
  note: { sign: ' ', line: 'text-faint italic', mark: '' },
  gap: { sign: '⋯', line: 'bg-wash', mark: 'text-faint' },
}

const OPEN_ALREADY = () => undefined

/** A change of one file in a box that scrolls: its path, how many lines it adds and removes, and each of these lines. */
export function DiffView({ change }: { change: FileChange }) {
  const { diff } = useMessages()
  return (
    <DiffFrame change={change}>
      <HunkLines hunk={change.diff} />
      {change.truncated && (
        <p className="border-line border-t px-3 py-1.5 text-xs text-muted">{diff.truncated}</p>
      )}
    </DiffFrame>
  )
}

/** The same as a part of a card that scrolls, with these rows of it. */
export function OpenDiff({
  change,
  rows,
  onOpen,
}: {
  change: FileChange
  rows: readonly DiffRow[]
  onOpen: Open
}) {
  return (
    <DiffFrame change={change}>
      <pre className="exact bg-inset py-1 font-code text-xs leading-snug">
        <DiffRows rows={rows} onOpen={onOpen} />
      </pre>
    </DiffFrame>
  )
}

/** The lines of one hunk, in a box that scrolls. */
export function HunkLines({ hunk }: { hunk: string }) {
  const rows = useMemo(() => allRows(diffLines(hunk)), [hunk])
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
      tabIndex={0}
      className="exact max-h-72 overflow-auto bg-inset py-1 font-code text-xs leading-snug"
    >
      <DiffRows rows={rows} onOpen={OPEN_ALREADY} />
    </pre>
  )
}

function DiffFrame({ change, children }: { change: FileChange; children: ReactNode }) {
  const { diff } = useMessages()
  const path = visibleText(change.path)
  return (
    <section aria-label={diff.label(path)} className="overflow-hidden rounded-md border border-line">
      <header className="flex items-center gap-2 border-line border-b bg-wash px-3 py-1.5 text-xs">
        <span className="exact min-w-0 grow font-code">
          <ExactPieces pieces={exactPieces(change.path)} />
        </span>
        {change.created && <span className="shrink-0 text-muted">{diff.created}</span>}
        <span className="shrink-0 tabular-nums">
          <span className="text-good">
            <span className="sr-only">{diff.added}: </span>+{change.added}
          </span>{' '}
          <span className="text-danger">
            <span className="sr-only">{diff.removed}: </span>−{change.removed}
          </span>
        </span>
      </header>
      {children}
    </section>
  )
}

function DiffRows({ rows, onOpen }: { rows: readonly DiffRow[]; onOpen: Open }) {
  return rows.map(({ kind, line }, index) => {
    if (kind === 'folded')
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and a diff never changes
        <span key={index} className="flex px-3">
          {line.kind === 'folded' && <FoldedLines count={line.count} onOpen={onOpen} />}
        </span>
      )
    const look = LOOK[kind]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and a diff never changes
      <span key={index} className={cx('flex gap-2 px-3', look.line)}>
        <span className={cx('w-3 shrink-0 select-none', look.mark)}>{look.sign}</span>
        <span className="min-w-0 grow">
          {isEmpty(line) ? ' ' : <ExactLine line={line} onOpen={onOpen} />}
        </span>
      </span>
    )
  })
}

function isEmpty(line: DiffRow['line']): boolean {
  return line.kind === 'line' && line.pieces.length === 0
}
