import { Menu, MenuItem } from '@palimpsest/ui'
import { Check, ChevronDown, Folder } from 'lucide-react'
import { agentWords } from '../words/en-agent.ts'
import { folderNames } from './folder-name.ts'

const { folder: words } = agentWords

export type FolderMenuProps = {
  folders: readonly string[]
  value: string
  onChange: (folder: string) => void
}

/** The folder that a new chat will work in. */
export function FolderMenu({ folders, value, onChange }: FolderMenuProps) {
  const names = folderNames(folders)
  const nameOf = (path: string) => names[folders.indexOf(path)] ?? path
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          title={value}
          className="inline-flex h-control min-w-0 items-center gap-1.5 rounded-md px-2 text-base text-muted transition hover:bg-wash hover:text-ink data-popup-open:bg-wash"
        >
          <Folder aria-hidden size={14} className="shrink-0" />
          <span className="sr-only">{words.label}: </span>
          <span className="min-w-0 max-w-40 truncate">{nameOf(value)}</span>
          <ChevronDown aria-hidden size={14} className="shrink-0" />
        </button>
      }
    >
      {folders.map((path) => (
        <MenuItem
          key={path}
          icon={<Check aria-hidden size={15} className={path === value ? '' : 'invisible'} />}
          onSelect={() => onChange(path)}
        >
          <span className="min-w-0 py-1">
            {nameOf(path)}
            {path === value && <span className="sr-only">, {words.chosen}</span>}
            {nameOf(path) !== path && <span className="block text-sm text-muted wrap-anywhere">{path}</span>}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
