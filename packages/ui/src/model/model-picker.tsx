import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Popover } from '../popups/popover.tsx'
import { findModel, modelLabel } from './find-model.ts'
import type { ModelPickerProps } from './model-panel.tsx'

/** The list, loaded lazily: the foot of the composer shows the chosen model alone. */
export const modelPanel = lazyModule(() => import('./model-panel.tsx').then((module) => module.ModelPanel))

/** The chosen model in the composer's foot; opens to a searchable list. */
export function ModelPicker(props: ModelPickerProps) {
  const messages = useMessages()
  const [own, setOwn] = useState(false)
  const open = props.open ?? own
  const Panel = useLazy(modelPanel, open)
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
      // Once the list is there, so that its field gets the focus.
      open={open && Panel !== null}
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
      {Panel && <Panel {...props} onClose={() => setOpen(false)} />}
    </Popover>
  )
}
