import type { ChatMessage } from '@palimpsest/core/domain'
import { useState } from 'react'
import { FileParts } from '../files/file-parts.tsx'
import { shortenMarks } from '../markdown/shorten-marks.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { partsText } from './message-text.ts'

/** Characters and lines beyond which a message folds. */
const FOLD_CHARACTERS = 1_500
const FOLD_LINES = 18
/** Characters that a folded message can show. */
const FOLDED_CHARACTERS = 4_000

export type UserWordsProps = {
  parts: ChatMessage['parts']
  /** Shows a long text whole, unless the reader folds it. */
  unfolded?: boolean
}

/** What a person said: files first, then the text, folded when it is long. */
export function UserWords({ parts, unfolded = false }: UserWordsProps) {
  const { message } = useMessages()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const whole = chosen ?? unfolded
  const text = partsText(parts)
  const long = text.length > FOLD_CHARACTERS || text.split('\n', FOLD_LINES + 1).length > FOLD_LINES
  const files = parts.filter((part) => part.type === 'file')
  return (
    <>
      {files.length > 0 && <FileParts parts={files} end />}
      {text !== '' && (
        <div className="max-w-[85%] rounded-2xl rounded-br-md bg-inset px-4 py-2 text-question leading-snug whitespace-pre-wrap wrap-anywhere">
          <div dir="auto" className={cx('[unicode-bidi:plaintext]', long && !whole && 'line-clamp-12')}>
            {shortenMarks(long && !whole ? text.slice(0, FOLDED_CHARACTERS) : text)}
          </div>
          {long && (
            <Button small variant="quiet" className="-ml-2.5 mt-1" onClick={() => setChosen(!whole)}>
              {whole ? message.showLess : message.showAll}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
