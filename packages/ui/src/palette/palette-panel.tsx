import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import { matches } from '../primitives/matches.ts'
import { ListGroup, ListOption, ListSearch } from '../primitives/search-list.tsx'
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
      <ListSearch
        list={list}
        label={palette.label}
        placeholder={palette.placeholder}
        count={flat.length}
        query={query}
        onQueryChange={(text) => {
          setQuery(text)
          onQueryChange?.(text)
        }}
      />
      <div
        id={list.listId}
        role="listbox"
        aria-label={palette.label}
        className="min-h-0 overflow-y-auto p-1.5"
      >
        {groups.map(([label, group]) => (
          <ListGroup key={label} label={label}>
            {group.map((command) => {
              const at = flat.indexOf(command)
              return (
                <ListOption
                  key={command.id}
                  list={list}
                  at={at}
                  onChoose={() => run(at)}
                  className="flex min-h-10 items-center gap-3 px-3 py-1.5 coarse:min-h-11"
                >
                  {command.icon && <span className="text-faint">{command.icon}</span>}
                  <span className="min-w-0 grow truncate">{command.label}</span>
                  {command.keys && <Kbd keys={command.keys} />}
                </ListOption>
              )
            })}
          </ListGroup>
        ))}
      </div>
      {flat.length === 0 && <p className="px-4.5 pt-1 pb-4 text-muted">{palette.none}</p>}
    </>
  )
}
