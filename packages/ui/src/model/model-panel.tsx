import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { ListGroup, ListSearch } from '../primitives/search-list.tsx'
import { useListNavigation } from '../primitives/use-list-navigation.ts'
import { findModel } from './find-model.ts'
import { modelGroups } from './model-groups.ts'
import { ModelRow } from './model-row.tsx'
import { VariantChoice } from './variant-choice.tsx'

export type ModelPickerProps = {
  models: readonly ModelInfo[]
  value: ModelRef
  onChange: (ref: ModelRef) => void
  /** Newest first. */
  recents?: readonly ModelRef[]
  /** Tokens of the conversation: models with a smaller window say so. */
  usedTokens?: number
  /** The effect of a switch to a model, or null when unknown. */
  outcomeOf?: (model: ModelInfo) => 'fits' | 'compacts' | 'too-small' | null
  /** Address of the page on adding a model. */
  addModelHref?: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** The list behind the picker: search, groups, variants of the chosen model, how to add one. */
export function ModelPanel(props: ModelPickerProps & { onClose: () => void }) {
  const { models, value, recents = [], usedTokens = 0, onChange, onClose } = props
  const { models: words, history } = useMessages()
  const [query, setQuery] = useState('')
  const groups = modelGroups(models, recents, query, words.recents)
  const flat = groups.flatMap((group) => group.models)
  const current = findModel(models, value)
  const choose = (index: number) => {
    const model = flat[index]
    if (!model) return
    onChange(model === current ? value : { providerId: model.providerId, modelId: model.modelId })
    onClose()
  }
  const list = useListNavigation(flat.length, query, choose)
  const cautionFor = (model: ModelInfo) => {
    const outcome = props.outcomeOf?.(model) ?? null
    if (outcome === 'compacts') return history.fit.rowCompacts
    if (outcome === 'too-small') return history.fit.rowTooSmall
    const small = model.contextLimit !== null && model.contextLimit < usedTokens
    return outcome === null && small ? words.tooSmall : null
  }
  let index = 0
  return (
    <>
      <ListSearch
        compact
        list={list}
        label={words.search}
        placeholder={words.search}
        count={flat.length}
        query={query}
        onQueryChange={setQuery}
      />
      <div
        id={list.listId}
        role="listbox"
        aria-label={words.label}
        className="min-h-0 grow overflow-y-auto p-1"
      >
        {groups.map((group) => (
          <ListGroup compact key={group.id} label={group.label}>
            {group.models.map((model) => {
              const at = index++
              return (
                <ModelRow
                  key={`${model.providerId}/${model.modelId}`}
                  list={list}
                  at={at}
                  model={model}
                  selected={model === current}
                  caution={cautionFor(model)}
                  onChoose={() => choose(at)}
                />
              )
            })}
          </ListGroup>
        ))}
      </div>
      {flat.length === 0 && <p className="px-3.5 pb-4 text-muted">{words.none(query)}</p>}
      {current && current.variants.length > 0 && (
        <div className="shrink-0 border-line border-t p-1.5">
          <VariantChoice
            variants={current.variants}
            value={value.variant}
            onChange={(variant) => {
              const { providerId, modelId } = value
              onChange(variant === undefined ? { providerId, modelId } : { providerId, modelId, variant })
            }}
          />
        </div>
      )}
      {props.addModelHref && (
        <a
          href={props.addModelHref}
          className="flex min-h-control shrink-0 items-center gap-2 rounded-b-lg border-line border-t px-3.5 py-1.5 text-muted transition hover:bg-wash hover:text-ink"
        >
          <Plus aria-hidden size={15} />
          {words.addModel}
        </a>
      )}
    </>
  )
}
