import { BIN_DAYS } from '@palimpsest/core/domain'
import { Button, useFormat } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { importSession } from '../list/carry-session.ts'
import { useWorkspace } from '../list/workspace-context.tsx'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { ArchiveActions } from './archive-actions.tsx'
import { Facts } from './facts.tsx'

const { data: words } = settingsWords

/** What is stored, and the ways in and out. */
export function DataSection() {
  const app = useApp()
  const { openBin } = useWorkspace()
  return (
    <div className="space-y-8">
      <Storage />
      <Part title={words.everything} hint={words.everythingHint}>
        <ArchiveActions />
      </Part>
      <Part title={words.import} hint={words.importHint}>
        <Button onClick={() => void importSession(app)}>{words.importChat}</Button>
      </Part>
      <Part title={words.bin} hint={words.binHint(BIN_DAYS)}>
        <Button onClick={openBin}>{words.openBin}</Button>
      </Part>
    </div>
  )
}

function Storage() {
  const { client } = useApp()
  const format = useFormat()
  const { data } = useQuery({
    queryKey: ['storage'],
    refetchOnMount: 'always',
    queryFn: () => client().system.storage.query(),
  })
  return (
    <section>
      <h3 className="font-text text-lg">{words.storage}</h3>
      <p className="mb-2 text-sm text-muted">{words.storageHint}</p>
      {data && (
        <Facts
          facts={[
            [words.size, format.bytes(data.bytes)],
            [words.free, format.bytes(data.freeBytes)],
            [words.chats, format.count(data.sessions)],
            [words.messages, format.count(data.messages)],
            [words.inBin, format.count(data.inBin)],
          ]}
        />
      )}
    </section>
  )
}

type PartProps = { title: string; hint: string; children: React.ReactNode }

function Part({ title, hint, children }: PartProps) {
  return (
    <section>
      <h3 className="font-text text-lg">{title}</h3>
      <p className="mb-2 text-sm text-muted">{hint}</p>
      {children}
    </section>
  )
}
