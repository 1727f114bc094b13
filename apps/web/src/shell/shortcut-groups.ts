import type { ShortcutGroup } from '@palimpsest/ui'
import { words } from '../words/en.ts'

const { shortcuts } = words

/** Every shortcut that works, as the help lists them. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    label: shortcuts.chats,
    shortcuts: [
      { keys: 'mod+k', label: shortcuts.palette },
      { keys: 'mod+shift+o', label: shortcuts.newChat },
      { keys: 'mod+shift+s', label: shortcuts.sidebar },
    ],
  },
  {
    label: shortcuts.writing,
    shortcuts: [
      { keys: 'enter', label: shortcuts.send },
      { keys: 'shift+enter', label: shortcuts.newLine },
      { keys: 'mod+enter', label: shortcuts.steer },
      { keys: 'mod+shift+enter', label: shortcuts.interrupt },
      { keys: 'esc', label: shortcuts.stop },
    ],
  },
  {
    label: shortcuts.page,
    shortcuts: [
      { keys: 'shift+esc', label: shortcuts.focusComposer },
      { keys: 'mod+shift+c', label: shortcuts.copyReply },
      { keys: '?', label: shortcuts.help },
    ],
  },
]
