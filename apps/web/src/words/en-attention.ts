import { inLanguage } from './in-language.ts'

/** English texts about chats that wait for the person; they load once a chat does something. */
export const attentionWords = inLanguage('attention', {
  waiting: 'Waiting for you',
  waitingCount: (count: number) => `Waiting for you: ${count === 1 ? '1 chat' : `${count} chats`}`,
  lead: 'An answer given here leaves the chat that you are in as it is.',
  sideQuestion: (title: string) => `Side question of ${title}`,
  openChat: 'Open this chat',
  more: (count: number) => (count === 1 ? '1 request' : `${count} requests`),
  approval: 'Waits for your permission.',
  answer: 'Waits for your answer.',
  ended: 'The reply is ready.',
  failed: 'The reply failed.',
  offer: 'Be told when a chat waits for you, or a reply that took over 30 seconds ends?',
  turnOn: 'Turn on notifications',
  notNow: 'No, thanks',
  blocked: 'This browser blocks notifications from this page. Allow them in the browser’s settings for it.',
  missing: 'This browser shows no notifications from this page.',
  label: 'Notifications',
  choices: { on: 'On', off: 'Off' },
  hint: 'When a chat waits for you, or a reply that took over 30 seconds ends, while you are elsewhere.',
})
