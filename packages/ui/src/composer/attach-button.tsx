import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'

/** Opens the system's file chooser. */
export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { composer } = useMessages()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label={composer.attach} onClick={() => input.current?.click()}>
        <Paperclip aria-hidden size={17} />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={composer.attach}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}
