import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import type { DraftFile } from '../stores/drafts.ts'
import { findModel } from '../stores/model-choice.ts'
import { words } from '../words/en.ts'
import { modelFor, unreadBy } from './read-by-model.ts'

export type FileNoticeProps = {
  files: readonly Pick<DraftFile, 'name' | 'mediaType'>[]
  models: readonly ModelInfo[]
  /** Models that were used last, the latest first. */
  recents: readonly ModelRef[]
  model: ModelInfo
  onChoose: (model: ModelInfo) => void
}

/** Says which files the chosen model can't read, and offers one that can. */
export function FileNotice({ files, models, recents, model, onChoose }: FileNoticeProps) {
  const unread = unreadBy(model, files)
  if (unread.length === 0) return null
  const ranked = [...recents.flatMap((ref) => findModel(models, ref) ?? []), ...models]
  // A demo model reads everything and understands nothing.
  const offered = ranked.filter(({ demo }) => !demo || model.demo)
  const found = modelFor(files, offered)
  const other = found !== null && unreadBy(found, files).length < unread.length ? found : null
  const names = unread.map(({ name }) => name)
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-2 text-sm text-muted">
      <span className="min-w-0 wrap-anywhere">
        {other === null ? words.readByNone(names) : words.notRead(model.label, names)}
      </span>
      {other !== null && (
        <Button small onClick={() => onChoose(other)}>
          {words.switchTo(other.label)}
        </Button>
      )}
    </div>
  )
}
