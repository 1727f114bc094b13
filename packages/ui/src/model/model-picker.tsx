import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Popover } from '../popups/popover.tsx'
import { findModel, modelLabel } from './find-model.ts'
import type { ModelPickerProps } from './model-panel.tsx'
import { ModelPanel } from './model-panel.tsx'

/** The chosen model in the composer's foot; opens to a searchable list. */
export function ModelPicker(props: ModelPickerProps) {
  const messages = useMessages()
  const [own, setOwn] = useState(false)
  const open = props.open ?? own
  const setOpen = (next: boolean) => {
    setOwn(next)
    props.onOpenChange?.(next)
  }
  const model = findModel(props.models, props.value)
  const label = modelLabel(props.models, props.value) ?? messages.models.choose
  const variant = model?.variants.find(({ id }) => id === props.value.variant)
  return (
    <Popover
      label={messages.models.choose}
      open={open}
      onOpenChange={setOpen}
      className="flex max-h-[min(28rem,var(--available-height))] w-[min(24rem,calc(100vw-1rem))] flex-col"
      trigger={
        <button
          type="button"
          className="inline-flex h-control min-w-0 items-center gap-1.5 rounded-md px-2 text-base text-muted transition hover:bg-wash hover:text-ink data-popup-open:bg-wash data-popup-open:text-ink"
        >
          <span className="sr-only">{messages.models.label}: </span>
          <span className="truncate">{label}</span>
          {variant && <span className="hidden truncate text-faint md:inline">{variant.label}</span>}
          <ChevronDown aria-hidden size={14} />
        </button>
      }
    >
      <ModelPanel {...props} onClose={() => setOpen(false)} />
    </Popover>
  )
}
