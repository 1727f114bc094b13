import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { useOverflow } from './use-overflow.ts'
import { WideTools } from './wide-tools.tsx'

/** A table that scrolls by itself; one that is cut fades at its edge and can be wrapped or expanded. */
export function TableBlock({ children }: { children: ReactNode }) {
  const { markdown } = useMessages()
  const scroller = useRef<HTMLElement>(null)
  const cut = useOverflow(scroller)
  const [wrapped, setWrapped] = useState(false)
  const name = markdown.table(useHeads(scroller))
  return (
    <div className="table-block">
      <div className="wide">
        <section
          ref={scroller}
          aria-label={name}
          className={cx('table-scroll', wrapped && 'wrapped')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
          tabIndex={0}
        >
          <table>{children}</table>
        </section>
      </div>
      {(cut || wrapped) && (
        <div className="table-tools">
          <WideTools wrapped={wrapped} onWrap={setWrapped} title={name}>
            <table>{children}</table>
          </WideTools>
        </div>
      )}
    </div>
  )
}

/** Characters of the heads that name a table. */
const MAX_NAME = 80

/** The heads of a table, by which several of one reply are told apart. */
function useHeads(table: RefObject<HTMLElement | null>): string {
  const [heads, setHeads] = useState('')
  // After each drawing: a table may grow while it is written.
  useEffect(() => {
    const cells = [...(table.current?.querySelectorAll('th') ?? [])].map(
      (cell) => cell.textContent?.trim() ?? '',
    )
    setHeads(
      cells
        .filter((text) => text !== '')
        .join(', ')
        .slice(0, MAX_NAME),
    )
  })
  return heads
}
