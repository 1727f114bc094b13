import { Check, Copy } from 'lucide-react'
import { useCopy } from '../primitives/use-copy.ts'
import { IconButton } from './icon-button.tsx'

export type CopyButtonProps = {
  label: string
  copiedLabel: string
  /** Read when the button is pressed. */
  text: () => string
}

export function CopyButton({ label, copiedLabel, text }: CopyButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <IconButton small label={copied ? copiedLabel : label} onClick={() => copy(text())}>
      {copied ? <Check aria-hidden size={15} className="text-good" /> : <Copy aria-hidden size={15} />}
    </IconButton>
  )
}
