import { Settings } from 'lucide-react'
import { words } from '../words/en.ts'

export type SettingsLinkProps = { current: boolean; onFollow: () => void }

/** The way to the settings at the sidebar's foot. */
export function SettingsLink({ current, onFollow }: SettingsLinkProps) {
  return (
    <a
      href="/settings/general"
      aria-keyshortcuts="Control+, Meta+,"
      {...(current && { 'aria-current': 'page' as const })}
      onClick={onFollow}
      className="inline-flex h-control min-w-0 grow items-center gap-2.5 rounded-md px-2.5 text-muted transition hover:bg-wash hover:text-ink aria-[current]:bg-wash aria-[current]:text-ink"
    >
      <Settings aria-hidden size={16} />
      {words.commands.settings}
    </a>
  )
}
