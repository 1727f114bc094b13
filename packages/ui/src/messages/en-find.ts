import { isOne } from './plural.ts'

/** `count` is the total as it is written. */
const messages = (total: number, count: string, more: boolean) =>
  `${count} ${isOne(total) ? 'message' : 'messages'}${more ? ' or more' : ''}`

/** English texts of find in a thread. */
export const findWords = {
  label: 'Find in this chat',
  field: 'Find in this chat',
  placeholder: 'Find in this chat',
  previous: 'Previous match',
  next: 'Next match',
  list: 'All matches',
  matches: 'Matches',
  close: 'Close',
  searching: 'Searching…',
  failed: 'The search failed. Change the words to try again.',
  none: 'No matches',
  found: messages,
  position: (at: string, total: number, count: string, more: boolean) =>
    `${at} of ${messages(total, count, more)}`,
  within: (at: number, total: number) => `match ${at} of ${total}`,
  layers: { hidden: 'Hidden', summarised: 'Summarised' },
  you: 'You',
  reply: 'Reply',
}
