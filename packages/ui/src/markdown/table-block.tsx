import { type ReactNode, useRef, useState } from 'react'
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
  return (
    <div className="table-block">
      <div className="wide">
        <section
          ref={scroller}
          aria-label={markdown.table}
          className={cx('table-scroll', wrapped && 'wrapped')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
          tabIndex={0}
        >
          <table>{children}</table>
        </section>
      </div>
      {(cut || wrapped) && (
        <div className="table-tools">
          <WideTools wrapped={wrapped} onWrap={setWrapped} title={markdown.table}>
            <table>{children}</table>
          </WideTools>
        </div>
      )}
    </div>
  )
}
