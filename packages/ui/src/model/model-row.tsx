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
import { ListOption } from '../primitives/search-list.tsx'
import type { ListNavigation } from '../primitives/use-list-navigation.ts'

export type ModelRowProps = {
  list: ListNavigation
  at: number
  model: ModelInfo
  selected: boolean
  /** What a switch to it would do to a conversation that it can't hold. */
  caution: string | null
  onChoose: () => void
}

/** One model: name, what it can do, window and price. */
export function ModelRow({ list, at, model, selected, caution, onChoose }: ModelRowProps) {
  return (
    <ListOption
      list={list}
      at={at}
      selected={selected}
      onChoose={onChoose}
      className="flex min-h-11 flex-wrap items-center gap-x-3 px-2.5 py-1.5"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate">{model.label}</span>
        <span className="flex items-center gap-1.5 text-xs text-muted tabular-nums">
          <ModelFacts model={model} />
        </span>
      </span>
      <Abilities model={model} />
      <Check aria-hidden size={16} className={cx('text-ink', !selected && 'invisible')} />
      {caution !== null && (
        <span className="flex basis-full items-center gap-1 text-xs text-caution">
          <TriangleAlert aria-hidden size={12} className="shrink-0" />
          {caution}
        </span>
      )}
    </ListOption>
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
          <span>
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
