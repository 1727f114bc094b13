import { useMessages } from '../messages/messages-context.tsx'
import { useIsMac } from './use-is-mac.ts'

const MAC: Record<string, string> = {
  mod: '⌘',
  ctrl: '⌃',
  shift: '⇧',
  alt: '⌥',
  enter: '↵',
  esc: 'esc',
}

/** Shows a shortcut such as `mod+shift+o` with the keys of this machine. */
export function Kbd({ keys }: { keys: string }) {
  const { app } = useMessages()
  const names: Record<string, string> = useIsMac() ? MAC : app.keys
  return (
    <span className="inline-flex items-center gap-0.5">
      {keys.split('+').map((key) => (
        <kbd
          key={key}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-xs border border-line bg-wash px-1 font-plain text-2xs text-muted"
        >
          {names[key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  )
}
