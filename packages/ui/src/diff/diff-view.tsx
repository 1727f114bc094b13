import type { FileChange } from '@palimpsest/core/domain'
import { visibleText } from '../ask/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'

const LOOK: Record<DiffLine['kind'], { sign: string; line: string; mark: string }> = {
  added: { sign: '+', line: 'bg-good-wash', mark: 'text-good' },
  removed: { sign: '−', line: 'bg-danger-wash', mark: 'text-danger' },
  same: { sign: ' ', line: '', mark: '' },
  note: { sign: ' ', line: 'text-faint italic', mark: '' },
  gap: { sign: '⋯', line: 'bg-wash', mark: 'text-faint' },
}

/** A change of one file: its path, how many lines it adds and removes, and each of these lines. */
export function DiffView({ change, className = 'max-h-72' }: { change: FileChange; className?: string }) {
  const { diff } = useMessages()
  const path = visibleText(change.path)
  return (
    <section aria-label={diff.label(path)} className="overflow-hidden rounded-md border border-line">
      <header className="flex items-center gap-2 border-line border-b bg-wash px-3 py-1.5 text-xs">
        <span className="min-w-0 grow truncate font-code" dir="ltr" title={path}>
          {path}
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
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        dir="ltr"
        className={cx('overflow-auto bg-inset py-1 font-code text-xs leading-snug', className)}
      >
        {diffLines(change.diff).map(({ kind, text }, index) => {
          const { sign, line, mark } = LOOK[kind]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and a diff never changes
            <span key={index} className={cx('flex gap-2 px-3', line)}>
              <span className={cx('w-3 shrink-0 select-none', mark)}>{sign}</span>
              <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">{visibleText(text) || ' '}</span>
            </span>
          )
        })}
      </pre>
      {change.truncated && (
        <p className="border-line border-t px-3 py-1.5 text-xs text-muted">{diff.truncated}</p>
      )}
    </section>
  )
}
