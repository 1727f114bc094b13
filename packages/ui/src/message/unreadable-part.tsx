import { FileWarning } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { LongText } from '../tool/long-text.tsx'
import { toJson } from '../tool/tool-part.ts'

/** A part that the store could not read. The rest of the message is shown as usual. */
export function UnreadablePart({ data }: { data: unknown }) {
  const { message } = useMessages()
  const [shown, setShown] = useState(false)
  return (
    <div className="my-2 rounded-lg border border-line border-dashed px-3.5 py-2.5 text-sm text-muted">
      <p className="flex items-center gap-2">
        <FileWarning aria-hidden size={15} className="text-caution" />
        {message.unreadable}
      </p>
      <p className="pl-6 text-faint">{message.unreadableHint}</p>
      {shown ? (
        <LongText label={message.showRaw} text={toJson(data)} />
      ) : (
        <Button small variant="quiet" className="mt-1 ml-3.5" onClick={() => setShown(true)}>
          {message.showRaw}
        </Button>
      )}
    </div>
  )
}
