import { EyeOff } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

/** At a message that the model does not read, with the way back. */
export function LeftOutNote({ onBringBack }: { onBringBack: (() => void) | undefined }) {
  const { message } = useMessages()
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
      <EyeOff aria-hidden size={13} className="text-rubric" />
      {message.leftOut}
      {onBringBack && (
        <Button small variant="quiet" className="px-1.5 text-rubric" onClick={onBringBack}>
          {message.bringBack}
        </Button>
      )}
    </p>
  )
}
