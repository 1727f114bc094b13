import { Search } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { Kbd } from '../primitives/kbd.tsx'
import { matches } from '../primitives/matches.ts'
import { useListNavigation } from '../primitives/use-list-navigation.ts'
import type { PaletteCommand } from './palette-command.ts'

export type PalettePanelProps = {
  commands: readonly PaletteCommand[]
  onQueryChange: ((query: string) => void) | undefined
  onClose: () => void
}

export function PalettePanel({ commands, onQueryChange, onClose }: PalettePanelProps) {
  const { palette } = useMessages()
  const [query, setQuery] = useState('')
  const found = commands.filter((command) =>
    matches(`${command.group} ${command.label} ${command.keywords ?? ''}`, query.trim()),
  )
  const groups = [...Map.groupBy(found, (command) => command.group)]
  const flat = groups.flatMap(([, group]) => group)
  const run = (index: number) => {
    onClose()
    flat[index]?.onRun()
  }
  const list = useListNavigation(flat.length, query, run)
  return (
    <>
      <div className="relative flex shrink-0 items-center border-line border-b">
        <Search aria-hidden size={17} className="pointer-events-none absolute left-4 text-faint" />
        <input
          role="combobox"
          aria-label={palette.label}
          aria-expanded
          aria-controls={list.listId}
          aria-activedescendant={flat.length > 0 ? list.optionId(list.active) : undefined}
          placeholder={palette.placeholder}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            onQueryChange?.(event.target.value)
          }}
          onKeyDown={list.handleKey}
          className="h-13 w-full bg-transparent pr-4 pl-11 text-lg outline-none"
        />
      </div>
      <div
        id={list.listId}
        role="listbox"
        aria-label={palette.label}
        className="min-h-0 overflow-y-auto p-1.5"
      >
        {groups.map(([label, group]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group inside a listbox is not a fieldset
          <div key={label} role="group" aria-label={label} className="pb-1">
            <p aria-hidden className="px-3 pt-2 pb-1 text-xs font-medium text-faint">
              {label}
            </p>
            {group.map((command) => {
              const at = flat.indexOf(command)
              return (
                <PaletteRow
                  key={command.id}
                  id={list.optionId(at)}
                  command={command}
                  active={at === list.active}
                  onPoint={() => at !== list.active && list.setActive(at)}
                  onRun={() => run(at)}
                />
              )
            })}
          </div>
        ))}
      </div>
      {flat.length === 0 && <p className="px-4.5 pt-1 pb-4 text-muted">{palette.none}</p>}
    </>
  )
}

type PaletteRowProps = {
  id: string
  command: PaletteCommand
  active: boolean
  onPoint: () => void
  onRun: () => void
}

function PaletteRow({ id, command, active, onPoint, onRun }: PaletteRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field holds the focus and its keys
    <div
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onPointerMove={onPoint}
      onClick={onRun}
      className={cx(
        'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 coarse:min-h-11',
        active && 'bg-wash-strong',
      )}
    >
      {command.icon && <span className="text-faint">{command.icon}</span>}
      <span className="min-w-0 grow truncate">{command.label}</span>
      {command.keys && <Kbd keys={command.keys} />}
    </div>
  )
}
