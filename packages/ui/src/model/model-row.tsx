import type { ModelInfo } from '@palimpsest/core/domain'
import {
  AudioLines,
  Brain,
  Check,
  FileText,
  Image,
  type LucideIcon,
  TriangleAlert,
  Video,
  Wrench,
} from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'

export type ModelRowProps = {
  id: string
  model: ModelInfo
  selected: boolean
  active: boolean
  /** What a switch to it would do to a conversation that it can't hold. */
  caution: string | null
  onPoint: () => void
  onChoose: () => void
}

/** One model: name, what it can do, window and price. */
export function ModelRow({ id, model, selected, active, caution, onPoint, onChoose }: ModelRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field holds the focus and its keys
    <div
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={cx(
        'flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 rounded-md px-2.5 py-1.5',
        active && 'bg-wash-strong',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate">{model.label}</span>
        <span className="flex items-center gap-1.5 text-xs text-muted tabular-nums">
          <ModelFacts model={model} />
        </span>
      </span>
      <Abilities model={model} />
      <Check aria-hidden size={16} className={cx('text-rubric', !selected && 'invisible')} />
      {caution !== null && (
        <span className="flex basis-full items-center gap-1 text-xs text-caution">
          <TriangleAlert aria-hidden size={12} className="shrink-0" />
          {caution}
        </span>
      )}
    </div>
  )
}

function ModelFacts({ model }: { model: ModelInfo }) {
  const { models } = useMessages()
  const format = useFormat()
  const { input, output } = model.prices
  const context =
    model.contextLimit === null ? models.unknownContext : models.context(format.tokens(model.contextLimit))
  return (
    <>
      {context}
      {input !== null && output !== null && (
        <>
          <span aria-hidden>·</span>
          <span title={models.priceLabel}>
            {input === 0 && output === 0
              ? models.free
              : models.price(format.cost(input), format.cost(output))}
          </span>
        </>
      )}
    </>
  )
}

const INPUT_ICONS = {
  image: Image,
  pdf: FileText,
  audio: AudioLines,
  video: Video,
} as const
const INPUT_NAMES = {
  image: 'images',
  pdf: 'pdf',
  audio: 'audio',
  video: 'video',
} as const

function Abilities({ model }: { model: ModelInfo }) {
  const { models } = useMessages()
  const inputs = model.inputs.filter((input) => input !== 'text')
  return (
    <span className="flex shrink-0 gap-1.5 text-faint">
      {inputs.map((input) => (
        <Ability key={input} Icon={INPUT_ICONS[input]} label={models[INPUT_NAMES[input]]} />
      ))}
      {model.tools && <Ability Icon={Wrench} label={models.tools} />}
      {model.reasoning && <Ability Icon={Brain} label={models.reasoning} />}
    </span>
  )
}

function Ability({ Icon, label }: { Icon: LucideIcon; label: string }) {
  return (
    <span title={label}>
      <Icon aria-hidden size={14} />
      <span className="sr-only">{label}</span>
    </span>
  )
}
