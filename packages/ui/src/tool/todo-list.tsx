import { Circle, CircleCheck, CircleDashed, CircleSlash } from 'lucide-react'
import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import type { TodoItem, TodoState } from './todo-items.ts'

const LOOK: Record<TodoState, { Icon: typeof Circle; icon: string; text: string }> = {
  pending: { Icon: Circle, icon: 'text-faint', text: 'text-muted' },
  'in-progress': {
    Icon: CircleDashed,
    icon: 'text-ink',
    text: 'text-ink font-medium',
  },
  completed: {
    Icon: CircleCheck,
    icon: 'text-good',
    text: 'text-faint line-through decoration-ghost',
  },
  cancelled: {
    Icon: CircleSlash,
    icon: 'text-faint',
    text: 'text-faint line-through decoration-ghost',
  },
}

/** The plan of a run as a checklist. */
export function TodoList({ items }: { items: readonly TodoItem[] }) {
  const { tool } = useMessages()
  const done = items.filter((item) => item.state === 'completed').length
  return (
    <section aria-label={tool.todo} className="my-2 rounded-lg border border-line bg-raised px-3.5 py-2.5">
      <h3 className="flex items-baseline justify-between gap-3 pb-1 text-sm font-medium">
        {tool.todo}
        <span className="text-xs font-normal text-faint tabular-nums">
          {tool.todoProgress(done, items.length)}
        </span>
      </h3>
      <ol>
        {items.map((item, index) => {
          const { Icon, icon, text } = LOOK[item.state]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two items may have one text, and a list is stated whole each time
            <li key={`${index}-${item.text}`} className="flex items-start gap-2.5 py-1 text-base">
              <Icon aria-hidden size={16} className={cx('mt-0.5', icon)} />
              <span className={text}>{visibleWords(item.text)}</span>
              <span className="sr-only">{tool.todoStates[item.state]}</span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
