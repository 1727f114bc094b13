import { Button, useFormat } from '@palimpsest/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { chooseFile } from '../list/carry-session.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { archiveImportOf } from './archive-import.ts'
import { ArchiveOutcome } from './archive-outcome.tsx'

const { data: words } = settingsWords

/** Carries everything out in one file, and such a file in. */
export function ArchiveActions() {
  const archive = archiveImportOf(useApp())
  const state = useStore(archive.state)
  const [exporting, setExporting] = useState(false)
  const [settings, setSettings] = useState(false)
  const isSending = state.at === 'sending'
  const queries = useQueryClient()
  // What is stored has grown, also by an import that was cancelled.
  useEffect(() => {
    if (!isSending) void queries.invalidateQueries({ queryKey: ['storage'] })
  }, [isSending, queries])

  async function choose(): Promise<void> {
    const file = await chooseFile('.gz,.tgz,application/gzip')
    if (file !== null) archive.start(file, settings)
  }

  return (
    <div className="space-y-3">
      <div className="flex flex-wrap gap-2">
        <a
          href="/api/v1/archive"
          download=""
          onClick={() => setExporting(true)}
          className="inline-flex h-control shrink-0 items-center rounded-md border border-line-strong bg-raised px-3 font-medium transition hover:bg-wash"
        >
          {words.exportAll}
        </a>
        <Button disabled={isSending} onClick={() => void choose()}>
          {words.importArchive}
        </Button>
      </div>
      <label className="flex min-h-control items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          checked={settings}
          disabled={isSending}
          onChange={({ target }) => setSettings(target.checked)}
          className="size-4 accent-ink"
        />
        {words.withSettings}
      </label>
      <p className="text-sm text-muted">{words.importArchiveHint}</p>
      <div role="status" className="space-y-3 empty:hidden">
        {exporting && state.at === 'idle' && <p className="text-sm">{words.exporting}</p>}
        <ArchiveOutcome state={state} />
      </div>
      {isSending && <Progress file={state.file} share={state.share} onCancel={archive.cancel} />}
    </div>
  )
}

type ProgressProps = { file: string; share: number; onCancel: () => void }

function Progress({ file, share, onCancel }: ProgressProps) {
  const format = useFormat()
  const text = share < 1 ? words.sending(file, format.percent(share)) : words.finishing(file)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 grow space-y-1.5">
        <p className="truncate text-sm">{text}</p>
        <div
          role="progressbar"
          aria-label={words.progress}
          aria-valuenow={Math.round(share * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuetext={text}
          className="h-1.5 overflow-hidden rounded-full bg-wash-strong"
        >
          <div className="h-full bg-ink transition-[width]" style={{ width: `${share * 100}%` }} />
        </div>
      </div>
      <Button small onClick={onCancel}>
        {words.cancel}
      </Button>
    </div>
  )
}
