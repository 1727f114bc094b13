import { plural } from './plural.ts'
import { quoted } from './quoted.ts'

const messages = (count: number) => plural(count, 'message', 'messages')
const files = (count: number) => plural(count, 'file', 'files')

/** The words of everything that walks in history, in English. */
export const historyWords = {
  close: 'Close',
  edit: 'Edit and send again',
  rewind: 'Rewind to here',
  branch: 'Branch from here',
  editor: {
    label: 'Edit message',
    send: 'Rewind and send',
    stopAndSend: 'Stop, rewind and send',
    replaces: 'Takes the place of this message. You can bring it back.',
    hides: (count: number) =>
      `Takes the place of this message and hides ${messages(count)} after it. You can bring them back.`,
    files: (count: number | null) => {
      if (count === null) return 'Files are not restored.'
      return count === 0
        ? 'No file has to be restored.'
        : `${plural(count, 'file is', 'files are')} restored.`
    },
  },
  ask: {
    title: 'Rewind to here?',
    body: (count: number, restored: number) =>
      `${plural(count, 'message is', 'messages are')} hidden and ${plural(restored, 'file', 'files')} of the workspace restored. Nothing is deleted, and you can take it back.`,
    confirm: 'Rewind',
  },
  prompts: {
    title: 'Rewind to a message of yours',
    search: 'Search your messages',
    none: 'No message of yours matches',
    hides: (count: number) => (count === 0 ? 'hides nothing' : `hides ${messages(count)}`),
    restores: (count: number) => `restores ${files(count)}`,
    older: 'Load earlier messages',
    edit: 'Edit and send again',
    rewind: 'Only rewind',
    files: (restored: boolean) =>
      restored
        ? 'Nothing is deleted, and files that replies changed are restored.'
        : 'Nothing is deleted, and files are not restored.',
    filesCounted: (count: number) =>
      `Nothing is deleted, and ${count === 0 ? 'no file has to be' : plural(count, 'file is', 'files are')} restored.`,
    attachment: 'Attachment',
  },
  tray: {
    label: 'Rewound',
    hidden: (count: number, more: boolean) =>
      `${more ? plural(count, 'more message', 'more messages') : messages(count)} hidden`,
    restored: (count: number, hidden: number) =>
      `${messages(count)} restored${hidden === 0 ? '' : `, ${hidden} hidden`}`,
    files: (count: number) => `${files(count)} restored`,
    restore: 'Restore',
    putBack: 'Put back',
    show: 'Show',
    hide: 'Hide',
    timeline: 'Timeline',
    dismiss: 'Dismiss',
  },
  trace: {
    beneath: (count: number) => `${messages(count)} beneath`,
    show: (count: number) => `Show ${messages(count)} hidden here`,
    hide: (count: number) => `Hide ${messages(count)} again`,
    restore: 'Restore',
    superseded: 'Hidden message',
  },
  timeline: {
    title: 'Timeline',
    lead: 'Everything that was done to this chat. Nothing here is gone.',
    empty: 'Nothing has been done to this chat yet.',
    emptyHint: 'Rewinds, branches, summaries and switches of the model appear here, each with its way back.',
    undo: 'Undo',
    goTo: 'Go there',
    open: 'Open',
    preview: (count: number) => `What it hid: ${messages(count)}`,
    more: (count: number) => `and ${count} more further up`,
    hid: (count: number) => `${messages(count)} hidden`,
    showed: (count: number) => `${messages(count)} restored`,
    files: (count: number) => `${files(count)} restored`,
    outputs: (count: number) => plural(count, 'tool output', 'tool outputs'),
    tokens: (before: string, after: string) => `${before} → ${after} tokens`,
    kinds: {
      rewind: 'Rewound',
      edit: 'Edited and sent again',
      unrewind: 'Restored',
      compaction: 'Summarised',
      autoCompaction: 'Summarised automatically',
      uncompaction: 'Summary taken back',
      prune: 'Freed space',
      unprune: 'Tool outputs put back',
      uncondense: 'Whole tool output used',
      recondense: 'Condensed form used again',
      branch: 'Branched',
      switch: 'Switched the model',
    },
    at: (text: string) => `at ${quoted(text)}`,
  },
  versions: {
    label: 'Versions',
    position: (at: number, total: number) => `Version ${at} of ${total}`,
    previous: 'Previous version',
    next: 'Next version',
    branch: (number: string) => `Branch ${number}`,
    count: (count: number, more: boolean) => (more ? `${count}+ messages` : messages(count)),
    after: (count: number, more: boolean) =>
      more ? `${count}+ messages after this` : `${messages(count)} after this`,
    compare: 'Compare with this one',
    tree: 'All branches',
    elsewhere: (count: string, name: string) => `${count} on ${quoted(name)}`,
    current: 'You are here',
  },
  lineage: {
    label: 'Branched from',
  },
  tree: {
    title: 'Branches',
    lead: 'Where this chat came from and where it went.',
    open: 'Branches of this chat',
    compare: (name: string) => `Compare with ${name}`,
    remove: (name: string) => `Delete ${name}`,
    side: 'On the side',
    here: 'You are here',
    alone: 'No branches yet. Branch from any message to try another way; this chat stays as it is.',
  },
  compaction: {
    summarised: (count: number) => `Summarised ${plural(count, 'earlier message', 'earlier messages')}`,
    summarisedSome: 'Summarised earlier messages',
    tokens: (before: string, after: string) => `${before} → ${after} tokens`,
    summary: 'What the model reads instead',
    showOriginals: 'Show the messages',
    hideOriginals: 'Hide the messages',
    undo: 'Undo',
    running: 'Summarising earlier messages. What you send now waits.',
    runningAuto: 'The window is nearly full: summarising earlier messages.',
    failed: 'Earlier messages could not be summarised.',
    retry: 'Try again',
    free: 'Free space',
    newChat: 'New chat',
    dismiss: 'Dismiss',
  },
  room: {
    compactsAt: 'Summarises at',
    compact: 'Compact now',
    compactHint: 'Earlier messages become a summary; you can undo it.',
    prune: 'Free space',
    pruneHint: 'Large old tool outputs are left out; you can put them back.',
  },
  fit: {
    compactsTitle: (model: string) => `${model} will read a summary`,
    compactsBody: (used: string, model: string, usable: string) =>
      `This chat holds ${used} tokens and ${model} has room for ${usable}. Before its next reply, earlier messages are summarised. Nothing is deleted, and you can undo it.`,
    tooSmallTitle: (model: string) => `This chat does not fit ${model}`,
    tooSmallBody: (used: string, model: string, usable: string) =>
      `It holds ${used} tokens; even summarised, ${model} has no room for it in ${usable}.`,
    branchAt: (text: string) =>
      `A branch with that model can start after ${quoted(text)}, where the chat still fits.`,
    noBranch: 'No earlier point of it fits either. A new chat can use that model.',
    switch: 'Switch',
    branch: 'Branch instead',
    newChat: 'New chat',
    rowCompacts: 'Earlier messages will be summarised first',
    rowTooSmall: 'Does not fit, even summarised',
  },
  side: {
    title: 'On the side',
    lead: (count: number) =>
      `Knows the ${messages(count)} of this chat. What is said here does not touch it.`,
    placeholder: 'Ask about this chat',
    keep: 'Keep as a branch',
    discard: 'Discard',
    discardTitle: 'Discard this side question?',
    discardBody: 'What was said on the side is deleted for good. The chat itself is untouched.',
    empty: 'Ask something about this chat without adding to it.',
    waits: 'A reply is being written. You can ask as soon as it has ended.',
  },
  compare: {
    title: 'Compare',
    lead: 'Two branches side by side',
    common: (count: number) => `${messages(count)} in common`,
    showCommon: 'Show them',
    hideCommon: 'Hide them',
    turn: (at: number) => `Turn ${at}`,
    nothing: 'Nothing here yet',
    sendTo: 'Send to',
    both: 'Both',
    left: 'Left',
    right: 'Right',
    open: 'Open',
    choose: 'Compare with',
    back: 'Back to the chat',
    swap: 'Swap sides',
    same: 'Same reply',
    placeholder: (target: string) => `Write to ${target}`,
    older: 'Load earlier messages',
    unrelated: 'These two chats have no beginning in common.',
    tokens: (count: string) => `${count} tokens`,
    replying: (name: string) => `${name}: the reply has begun.`,
    replyEnded: (name: string) => `${name}: the reply has ended.`,
    outcome: (name: string, what: string) => `${name}: ${what}`,
  },
}
