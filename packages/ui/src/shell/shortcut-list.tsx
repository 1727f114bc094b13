import { cx } from '../primitives/cx.ts'
import { Kbd } from '../primitives/kbd.tsx'

export type ShortcutGroup = {
  label: string
  /** `keys` as in `mod+shift+o`. */
  shortcuts: readonly { keys: string; label: string }[]
}

export type ShortcutListProps = { groups: readonly ShortcutGroup[]; className?: string }

/** Shortcuts in groups, in two columns where there is space. */
export function ShortcutList({ groups, className }: ShortcutListProps) {
  return (
    <div className={cx('grid gap-x-8 gap-y-5 md:grid-cols-2', className)}>
      {groups.map((group) => (
        <section key={group.label}>
          <h3 className="mb-1 text-xs font-medium text-faint">{group.label}</h3>
          <dl>
            {group.shortcuts.map((shortcut) => (
              <div
                key={`${shortcut.keys} ${shortcut.label}`}
                className="flex items-center justify-between gap-3 border-line border-t py-1.5"
              >
                <dt className="text-muted">{shortcut.label}</dt>
                <dd>
                  <Kbd keys={shortcut.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
