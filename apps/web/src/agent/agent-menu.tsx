import { Menu, MenuItem } from '@palimpsest/ui'
import { Bot, Check, ChevronDown } from 'lucide-react'
import { agentWords } from '../words/en-agent.ts'

const { agents: words } = agentWords

export type AgentMenuProps = {
  agents: readonly { id: string; description: string }[]
  /** The id of the chosen one, which may no longer be there. */
  value: string
  onChange: (id: string) => void
}

/** The agent that the next message of a chat goes to. */
export function AgentMenu({ agents, value, onChange }: AgentMenuProps) {
  const isGone = agents.every(({ id }) => id !== value)
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          title={isGone ? words.gone : undefined}
          className="inline-flex h-control min-w-0 items-center gap-1.5 rounded-md px-2 text-base text-muted transition hover:bg-wash hover:text-ink data-popup-open:bg-wash"
        >
          <Bot aria-hidden size={14} className="shrink-0" />
          <span className="sr-only">{words.label}: </span>
          <span className={isGone ? 'min-w-0 max-w-32 truncate line-through' : 'min-w-0 max-w-32 truncate'}>
            {value}
          </span>
          {isGone && <span className="sr-only">, {words.gone}</span>}
          <ChevronDown aria-hidden size={14} className="shrink-0" />
        </button>
      }
    >
      {agents.map(({ id, description }) => (
        <MenuItem
          key={id}
          icon={<Check aria-hidden size={15} className={id === value ? '' : 'invisible'} />}
          onSelect={() => onChange(id)}
        >
          <span className="min-w-0 max-w-72 py-1">
            {id}
            {id === value && <span className="sr-only">, {words.chosen}</span>}
            <span className="line-clamp-2 block text-muted text-sm wrap-anywhere">{description}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}
