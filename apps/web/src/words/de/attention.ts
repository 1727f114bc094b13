import { plural, type Translation } from '@palimpsest/ui/de'
import type { attentionWords } from '../en-attention.ts'

/** German texts about chats that wait for the person. */
export const attention: Translation<typeof attentionWords> = {
  waiting: 'Warten auf eine Antwort',
  waitingCount: (count) => `Warten auf eine Antwort: ${plural(count, 'Chat', 'Chats')}`,
  lead: 'Eine Antwort von hier aus lässt den geöffneten Chat, wie er ist.',
  sideQuestion: (title) => `Nebenfrage zu ${title}`,
  openChat: 'Diesen Chat öffnen',
  more: (count) => plural(count, 'Anfrage', 'Anfragen'),
  approval: 'Wartet auf eine Erlaubnis.',
  answer: 'Wartet auf eine Antwort.',
  ended: 'Die Antwort ist fertig.',
  failed: 'Die Antwort ist fehlgeschlagen.',
  offer: 'Benachrichtigen, wenn ein Chat wartet oder eine Antwort von über 30 Sekunden endet?',
  turnOn: 'Benachrichtigungen einschalten',
  notNow: 'Nein, danke',
  blocked:
    'Dieser Browser blockiert Benachrichtigungen dieser Seite. Sie lassen sich in seinen Einstellungen erlauben.',
  missing: 'Dieser Browser zeigt keine Benachrichtigungen dieser Seite.',
  label: 'Benachrichtigungen',
  choices: { on: 'Ein', off: 'Aus' },
  hint: 'Wenn ein Chat wartet oder eine Antwort von über 30 Sekunden endet, während anderswo gearbeitet wird.',
}
