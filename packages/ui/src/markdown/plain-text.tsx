import { useState } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

/** Characters that are drawn at first, and with each press that asks for more. */
const SHOWN_CHARACTERS = 20_000

export type PlainTextProps = {
  text: string
  /** Why it is not formatted. */
  note: string
}

/** Text as it was written, drawn a part at a time, with the reason why it is not formatted. */
export function PlainText({ text, note }: PlainTextProps) {
  const { tool } = useMessages()
  const format = useFormat()
  const [shown, setShown] = useState(SHOWN_CHARACTERS)
  const rest = text.length - shown
  return (
    <div>
      <p className="plain-text-note">{note}</p>
      <div dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {rest > 0 ? `${text.slice(0, shown)}…` : text}
      </div>
      {rest > 0 && (
        <Button small variant="quiet" onClick={() => setShown(shown + SHOWN_CHARACTERS * 5)}>
          {tool.showMore(format.bytes(rest))}
        </Button>
      )}
    </div>
  )
}
