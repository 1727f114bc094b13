import { createFormat, plural } from '@palimpsest/ui'
import { inLanguage } from './in-language.ts'

const format = createFormat('en')

/** English texts of the pages about history. */
export const historyWords = inLanguage('history', {
  replying: 'A reply is running.',
  summarising: 'Earlier messages are being summarised.',
  stopAndGoOn: 'Stop and continue',
  undo: 'Undo',
  queueRemoved: 'Removed from the queue.',
  budget: {
    title: 'Budget',
    lead: 'Replies stop when a limit is reached. An empty field takes the limit of the configuration.',
    limit: 'Limit',
    scopes: { session: 'This chat', run: 'Each reply' },
    limits: {
      max_tokens: 'Tokens',
      max_cost: 'US dollars',
      max_tool_calls: 'Tool calls',
      max_duration: 'Minutes of work',
    },
    spent: (amount: string) => `${amount} so far`,
    placeholder: (limit: string) => (limit === '' ? 'None' : limit),
    wrong: 'A limit is a number above 0.',
    save: 'Save',
    saveAndContinue: 'Raise and continue',
    near: (use: string) => `The budget is nearly used up: ${use}`,
    raise: 'Raise',
  },
  cancelled: { heading: 'Removed from the queue', restore: 'Restore', more: 'Show more' },
  back: 'Back',
  branchedAside: 'The branch is made.',
  branched: 'You are on a new branch. The original chat has not changed.',
  nothingToFree: 'There are no large old tool results to drop.',
  leftOut: (tokens: number) =>
    `The model no longer reads this message: ${format.tokens(tokens)} tokens less.`,
  freed: (outputs: number, tokens: number) =>
    `${plural(outputs, 'old tool result', 'old tool results')} dropped: ${format.tokens(tokens)} tokens less.`,
  summarised: (messages: number, before: number, after: number) =>
    `${plural(messages, 'earlier message is', 'earlier messages are')} summarised: ${format.tokens(before)} → ${format.tokens(after)} tokens.`,
  filesRestored: (count: number) => `${plural(count, 'file is', 'files are')} restored.`,
  filesLeft:
    'The chat has changed, but not all files could be restored. The server’s log has the reason. You can undo it.',
  kept: 'Kept as a branch.',
  open: 'Open',
  messageNotHere: 'That message is not in this chat.',
  messageElsewhere: (title: string) => `That message is in “${title}”, which is open now.`,
  messageInBin: (title: string) => `That message is in “${title}”, which is in the bin.`,
  restoreChat: 'Restore the chat',
  inBin: {
    title: 'This chat is in the bin',
    body: (title: string) => `“${title}” was deleted. It can still be restored.`,
  },
  nothingYet: 'This chat has no message yet.',
  nothingToRewind: 'You have no message to rewind to yet.',
  nothingToBranch: 'There is no message to branch from yet.',
  nothingToCompare: 'There is no branch to compare with yet. Branch from any message first.',
  ways: {
    find: 'Find in this chat',
    side: 'Side question',
    tree: 'Branches of this chat',
    timeline: 'Timeline',
    inspect: 'Inspect this chat',
    rail: 'Show the history rail',
    hideRail: 'Hide the history rail',
  },
  group: 'History',
  commands: {
    find: 'Find in this chat',
    rewind: 'Rewind to a message',
    branch: 'Branch from the last message',
    compact: 'Summarise the conversation',
    prune: 'Drop old tool results',
    timeline: 'Timeline of this chat',
    tree: 'All branches of this chat',
    compare: 'Compare with another branch',
    side: 'Side question',
  },
  keys: {
    heading: 'History',
    find: 'Find in this chat (again: the browser’s find)',
    rewind: 'Rewind (twice, while nothing runs)',
    timeline: 'Timeline',
    tree: 'All branches',
    side: 'Side question',
    versions: 'Other version (on a version switch)',
  },
} as const)
