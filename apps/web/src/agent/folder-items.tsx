import { MenuItem } from '@palimpsest/ui'
import { Check } from 'lucide-react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { isWithin } from '../stores/chosen-folder.ts'
import { words } from '../words/en.ts'
import { folderNames } from './folder-name.ts'
import { useSystem } from './use-system.ts'

/** Folders of earlier chats that are offered. */
const RECENT = 5

export type FolderItemsProps = {
  /** The present folder; null for none. */
  value: string | null
  /** Whether the chat is one with the demo model, which has a folder of its own. */
  demo: boolean
  onChange: (folder: string | null) => void
}

/** What a chat may work in: nothing, a folder that the operator allows, or that of an earlier chat inside one. */
export function FolderItems({ value, demo, onChange }: FolderItemsProps) {
  const { none, noneHint, demo: demoName, chosen } = words.folder
  const { sessions } = useStore(useApp().chats)
  const { workspaces = [], demoWorkspace = null } = useSystem(true) ?? {}
  const used = sessions.flatMap(({ workspaceRoot: root }) => root ?? [])
  const recent = used.filter((root) => isWithin(root, workspaces) && !workspaces.includes(root))
  const paths = [...new Set([...workspaces, ...recent])].slice(0, workspaces.length + RECENT)
  const named = paths.map((path, at) => ({ path, name: folderNames(paths)[at] ?? path, hint: path }))
  const offered = [
    ...(demo && demoWorkspace !== null ? [{ path: demoWorkspace, name: demoName, hint: demoWorkspace }] : []),
    { path: null, name: none, hint: noneHint },
    ...named,
  ]
  return offered.map(({ path, name, hint }) => (
    <MenuItem
      key={hint}
      icon={<Check aria-hidden size={15} className={path === value ? '' : 'invisible'} />}
      onSelect={() => onChange(path)}
    >
      <span className="min-w-0 py-1">
        {name}
        {path === value && <span className="sr-only">, {chosen}</span>}
        {name !== hint && <span className="block text-sm text-muted wrap-anywhere">{hint}</span>}
      </span>
    </MenuItem>
  ))
}
