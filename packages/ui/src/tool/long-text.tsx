import { useState } from 'react'
import { visibleText, visibleWords } from '../exact/visible-text.ts'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { CopyButton } from '../popups/copy-button.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'

/** Characters that are drawn before a reader asks for all of them. */
const SHOWN_CHARACTERS = 4_000

export type LongTextProps = {
  label: string
  text: string
  danger?: boolean
  /** It is what a call does, of which every character counts. */
  exact?: boolean
}

/** Labelled plain text; a long one is shown in part until all of it is requested. */
export function LongText({ label, text, danger = false, exact = false }: LongTextProps) {
  const { app, tool } = useMessages()
  const format = useFormat()
  const [all, setAll] = useState(false)
  const shown = exact ? visibleText : visibleWords
  const cut = !all && text.length > SHOWN_CHARACTERS
  return (
    <section aria-label={label}>
      <div className="flex h-7 items-center justify-between text-xs text-faint">
        {label}
        <CopyButton label={app.copy} copiedLabel={app.copied} text={() => text} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
        className={cx(
          'exact max-h-72 overflow-auto rounded-md bg-inset px-3 py-2 font-code text-xs leading-snug',
          danger ? 'text-danger' : 'text-muted',
        )}
      >
        {shown(cut ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text)}
      </pre>
      {cut && (
        <Button small variant="quiet" onClick={() => setAll(true)}>
          {tool.showAll(format.bytes(text.length))}
        </Button>
      )}
    </section>
  )
}
