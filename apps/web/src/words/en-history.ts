import { createFormat } from '@palimpsest/ui'

const format = createFormat('en')

/** The words of the pages about history, in English. */
export const historyWords = {
  replying: 'A reply is being written.',
  summarising: 'What was said is being summarised.',
  stopAndGoOn: 'Stop it and go on',
  undo: 'Undo',
  queueRemoved: 'Removed from the queue.',
  cancelled: { heading: 'Removed from the queue', restore: 'Restore', more: 'Show more' },
  back: 'Back',
  branched: 'You are on a new branch. The chat it came from is as it was.',
  nothingToFree: 'There is nothing large and old enough to free.',
  freed: (outputs: number, tokens: number) =>
    `${format.tokens(tokens)} tokens freed: ${outputs === 1 ? '1 old output is' : `${outputs} old outputs are`} left out.`,
  summarised: (messages: number, before: number, after: number) =>
    `${messages === 1 ? '1 earlier message is' : `${messages} earlier messages are`} summarised: ${format.tokens(before)} → ${format.tokens(after)} tokens.`,
  filesRestored: (count: number) => (count === 1 ? '1 file is restored.' : `${count} files are restored.`),
  filesLeft:
    'The chat has gone there, but not all files could follow. The server’s log says why; taking it back is safe.',
  kept: 'Kept as a branch.',
  open: 'Open',
  nothingToRewind: 'There is no message of yours to rewind to yet.',
  nothingToBranch: 'There is no message to branch from yet.',
  nothingToCompare: 'There is no branch to compare with yet. Branch from any message first.',
  ways: {
    side: 'Ask on the side',
    tree: 'Branches of this chat',
    timeline: 'Timeline',
  },
  group: 'History',
  commands: {
    rewind: 'Rewind to a message',
    branch: 'Branch from the last message',
    compact: 'Summarise earlier messages now',
    prune: 'Free space: leave old tool outputs out',
    timeline: 'Timeline of this chat',
    tree: 'All branches of this chat',
    compare: 'Compare with another branch',
    side: 'Ask on the side',
  },
  keys: {
    heading: 'History',
    rewind: 'Rewind (twice, while nothing runs)',
    timeline: 'Timeline',
    tree: 'All branches',
    side: 'Ask on the side',
    versions: 'Other version (on a version switch)',
  },
} as const
