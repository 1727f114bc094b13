import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'

export type ModelPickerProps = {
  models: readonly ModelInfo[]
  value: ModelRef
  onChange: (ref: ModelRef) => void
  /** Newest first. */
  recents?: readonly ModelRef[]
  /** Tokens that the conversation holds: models with a smaller window say so. */
  usedTokens?: number
  /** What a switch to a model would do, where that is known better. */
  outcomeOf?: (model: ModelInfo) => 'fits' | 'compacts' | 'too-small' | null
  /** Leads to the page or text on adding a model. */
  addModelHref?: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
}
