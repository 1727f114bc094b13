import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { Kbd } from '../primitives/kbd.tsx'

export type PreviewBarProps = {
  /** What happened after the state, with its time. */
  name: string
  /** What it holds, in words. */
  facts: readonly string[]
  /** What becomes of each file, and the choices about them: `FileFates`. */
  files?: ReactNode
  onRestore: () => void
  onBack: () => void
}

/** The button that restores the state that is previewed. */
export const PREVIEW_RESTORE_ID = 'restore-preview'

/** Over the messages of an earlier state: which it is, the way to restore it, and the way back to now. */
export function PreviewBar({ name, facts, files, onRestore, onBack }: PreviewBarProps) {
  const { preview } = useMessages().history
  return (
    <section
      aria-label={preview.label}
      className="z-10 flex flex-wrap items-center gap-x-2 gap-y-1 border-rubric border-y bg-rubric-wash px-4 py-1.5"
    >
      <History aria-hidden size={15} className="shrink-0 text-rubric" />
      <p role="status" className="min-w-0 grow basis-48 text-sm">
        <strong className="font-medium text-rubric">{preview.badge}</strong>{' '}
        <span className="inline-block first-letter:uppercase">{name}</span>
        {facts.length > 0 && <span className="text-muted"> · {facts.join(' · ')}</span>}
      </p>
      <span className="flex gap-1">
        <Button small variant="quiet" onClick={onBack}>
          {preview.back}
          <span aria-hidden className="max-md:hidden">
            <Kbd keys="esc" />
          </span>
        </Button>
        <Button id={PREVIEW_RESTORE_ID} small onClick={onRestore} className="text-rubric">
          {preview.restore}
        </Button>
      </span>
      {files && <div className="basis-full pb-1">{files}</div>}
    </section>
  )
}
