import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import type { ListNavigation } from '../primitives/use-list-navigation.ts'
import type { SlashCommand } from './slash-command.ts'

export type SlashMenuProps = {
  commands: readonly SlashCommand[]
  list: ListNavigation
  onChoose: (index: number) => void
}

/** Commands over the composer while one is typed; the text field keeps the focus. */
export function SlashMenu({ commands, list, onChoose }: SlashMenuProps) {
  const { composer } = useMessages()
  return (
    <div
      id={list.listId}
      role="listbox"
      aria-label={composer.commands}
      className="enter popup absolute inset-x-0 bottom-full z-20 mb-2 max-h-72 overflow-y-auto p-1"
    >
      {commands.length === 0 && <p className="px-2.5 py-1.5 text-muted">{composer.noCommand}</p>}
      {commands.map((command, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field holds the focus and its keys
        <div
          key={command.name}
          id={list.optionId(at)}
          role="option"
          aria-selected={at === list.active}
          tabIndex={-1}
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => at !== list.active && list.setActive(at)}
          onClick={() => onChoose(at)}
          className={cx(
            'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 coarse:min-h-11',
            at === list.active && 'bg-wash-strong',
          )}
        >
          <span className="font-code text-sm">/{command.name}</span>
          {command.takes && <span className="font-code text-sm text-faint">{command.takes}</span>}
          <span className="min-w-0 truncate text-sm text-muted">{command.description}</span>
        </div>
      ))}
    </div>
  )
}
