import type { SendKey, ShortcutGroup } from '@palimpsest/ui'
import { words } from '../words/en.ts'
import { historyWords } from '../words/en-history.ts'

const { shortcuts } = words

const sending = (): Record<SendKey, ShortcutGroup['shortcuts']> => ({
  enter: [
    { keys: 'enter', label: shortcuts.send },
    { keys: 'shift+enter', label: shortcuts.newLine },
    { keys: 'mod+enter', label: shortcuts.steer },
    { keys: 'mod+shift+enter', label: shortcuts.interrupt },
  ],
  'mod+enter': [
    { keys: 'mod+enter', label: shortcuts.send },
    { keys: 'enter', label: shortcuts.newLine },
    { keys: 'mod+shift+enter', label: shortcuts.steer },
  ],
})

/** Every shortcut that works, as the help lists them. */
export function shortcutGroups(sendKey: SendKey): readonly ShortcutGroup[] {
  return [
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
      shortcuts: [...sending()[sendKey], { keys: 'esc', label: shortcuts.stop }],
    },
    {
      label: historyWords.keys.heading,
      shortcuts: [
        { keys: 'mod+f', label: historyWords.keys.find },
        { keys: 'esc', label: historyWords.keys.rewind },
        { keys: 'mod+shift+e', label: historyWords.keys.questions },
        { keys: 'home', label: historyWords.keys.first },
        { keys: 'end', label: historyWords.keys.last },
        { keys: 'mod+shift+y', label: historyWords.keys.timeline },
        { keys: 'mod+shift+b', label: historyWords.keys.tree },
        { keys: 'mod+shift+l', label: historyWords.keys.side },
        { keys: '←+→', label: historyWords.keys.versions },
      ],
    },
    {
      label: shortcuts.page,
      shortcuts: [
        { keys: 'shift+esc', label: shortcuts.focusComposer },
        { keys: 'mod+shift+a', label: shortcuts.request },
        { keys: 'mod+shift+c', label: shortcuts.copyReply },
        { keys: 'mod+,', label: shortcuts.settings },
        { keys: '?', label: shortcuts.help },
      ],
    },
  ]
}
