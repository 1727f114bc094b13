import { useIsMac } from './use-is-mac.ts'

const MAC: Record<string, string> = {
  mod: '⌘',
  shift: '⇧',
  alt: '⌥',
  enter: '↵',
  esc: 'esc',
}
const OTHER: Record<string, string> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
  esc: 'Esc',
}

/** Shows a shortcut such as `mod+shift+o` with the keys of this machine. */
export function Kbd({ keys }: { keys: string }) {
  const names = useIsMac() ? MAC : OTHER
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
