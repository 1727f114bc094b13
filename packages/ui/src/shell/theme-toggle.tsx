import { Monitor, Moon, Sun } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'

export type Theme = 'system' | 'light' | 'dark'

const THEMES = [
  { theme: 'system', Icon: Monitor },
  { theme: 'light', Icon: Sun },
  { theme: 'dark', Icon: Moon },
] as const

export type ThemeToggleProps = {
  theme: Theme
  onThemeChange: (theme: Theme) => void
}

/** System, light or dark. The page stores the choice and sets `data-theme` on the root element. */
export function ThemeToggle({ theme, onThemeChange }: ThemeToggleProps) {
  const messages = useMessages()
  return (
    <fieldset className="flex rounded-md bg-wash p-0.5">
      <legend className="sr-only">{messages.theme.label}</legend>
      {THEMES.map(({ theme: option, Icon }) => (
        <label
          key={option}
          title={messages.theme[option]}
          className={cx(
            'flex h-7 w-8 cursor-pointer items-center justify-center rounded-sm transition coarse:h-11 coarse:w-11 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            option === theme ? 'bg-segment text-ink shadow-raised' : 'text-faint hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="theme"
            value={option}
            checked={option === theme}
            onChange={() => onThemeChange(option)}
            className="sr-only"
          />
          <Icon aria-hidden size={15} />
          <span className="sr-only">{messages.theme[option]}</span>
        </label>
      ))}
    </fieldset>
  )
}
