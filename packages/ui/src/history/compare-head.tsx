import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { arrowStep } from '../primitives/arrow-step.ts'
import { cx } from '../primitives/cx.ts'
import { isPlainClick } from '../primitives/is-plain-click.ts'
import { StatusDot } from '../shell/status-dot.tsx'
import type { CompareSide, Which } from './compare-side.ts'

export type CompareHeadProps = {
  left: CompareSide
  right: CompareSide
  /** The side that narrow screens show, with a switch to the other. */
  shown: Which
  onShow: (which: Which) => void
  onOpen: (sessionId: string) => void
}

/** The names over the two sides: links to the sessions; on narrow screens tabs between them. */
export function CompareHead({ left, right, shown, onShow, onOpen }: CompareHeadProps) {
  const { compare } = useMessages().history
  return (
    <div className="thread-gutter @container shrink-0 border-line border-b">
      <div className="mx-auto grid max-w-compare gap-x-10 px-4 max-md:hidden md:grid-cols-2">
        {[left, right].map((side) => (
          <div key={side.id} className="flex min-w-0 items-center gap-2 py-1 md:last:pl-5">
            <a
              href={side.href}
              onClick={(event) => {
                if (!isPlainClick(event)) return
                event.preventDefault()
                onOpen(side.id)
              }}
              className="-ml-1.5 max-w-3/4 shrink-0 truncate rounded-sm px-1.5 font-medium hover:bg-wash"
            >
              {side.name}
            </a>
            <StatusDot status={side.status} />
            <SideFacts side={side} />
          </div>
        ))}
      </div>
      <div role="tablist" aria-label={compare.title} className="flex md:hidden">
        {(['left', 'right'] as const).map((which) => {
          const side = which === 'left' ? left : right
          return (
            <button
              key={which}
              type="button"
              role="tab"
              aria-selected={shown === which}
              tabIndex={shown === which ? 0 : -1}
              onKeyDown={(event) => {
                if (arrowStep(event) === null) return
                const { nextElementSibling, previousElementSibling } = event.currentTarget
                const other = nextElementSibling ?? previousElementSibling
                if (other instanceof HTMLElement) other.focus()
                onShow(which === 'left' ? 'right' : 'left')
              }}
              onClick={() => onShow(which)}
              className={cx(
                'flex min-h-11 min-w-0 flex-1 items-center justify-center gap-2 border-b-2 px-3',
                shown === which ? 'border-ink font-medium' : 'border-transparent text-muted',
              )}
            >
              <span className="truncate">{side.name}</span>
              <StatusDot status={side.status} />
            </button>
          )
        })}
      </div>
      <div className="flex items-center gap-2 px-3 md:hidden">
        <SideFacts side={shown === 'left' ? left : right} />
      </div>
    </div>
  )
}

/** The model of a side, the tokens that it has used, and its meter. */
function SideFacts({ side: { model, tokens, meter } }: { side: CompareSide }) {
  const { compare } = useMessages().history
  const format = useFormat()
  return (
    <span className="ml-auto flex min-w-0 items-center gap-1 text-muted text-xs tabular-nums">
      {model !== undefined && <span className="truncate">{model}</span>}
      {tokens !== undefined && (
        // Where two sides share little width, their names come first; the meter has the numbers too.
        <span className="shrink-0 md:@max-[60rem]:sr-only">
          {model !== undefined && '· '}
          {compare.tokens(format.count(tokens))}
        </span>
      )}
      {meter}
    </span>
  )
}
