import { plural } from './plural.ts'
import { quoted } from './quoted.ts'

const messages = (count: number) => plural(count, 'message', 'messages')
const files = (count: number) => plural(count, 'file', 'files')

/** English texts of rewind, branches, versions, summaries, side questions and comparison. */
export const historyWords = {
  close: 'Close',
  edit: 'Edit and send again',
  rewind: 'Rewind to here',
  branch: 'Branch from here',
  editor: {
    label: 'Edit message',
    send: 'Save and send',
    stopAndSend: 'Stop, save and send',
    replaces: 'Replaces this message. You can restore it.',
    hides: (count: number) =>
      `Replaces this message and hides ${messages(count)} after it. You can restore them.`,
    files: (count: number | null) => {
      if (count === null) return 'Files are not restored.'
      return count === 0 ? 'No files are restored.' : `${plural(count, 'file is', 'files are')} restored.`
    },
  },
  ask: {
    title: 'Rewind to here?',
    body: (count: number, restored: number) =>
      `This hides ${messages(count)} and restores ${files(restored)} of the workspace. Nothing is deleted, and you can undo it.`,
    confirm: 'Rewind',
  },
  askAgain: {
    title: 'Get another reply here?',
    body: (count: number) =>
      `This hides ${messages(count)} after it. Nothing is deleted: the arrows at the reply and Restore bring them back.`,
    confirm: 'Get another reply',
  },
  prompts: {
    title: 'Rewind to one of your messages',
    search: 'Search your messages',
    none: 'No messages match',
    hides: (count: number) => (count === 0 ? 'hides nothing' : `hides ${messages(count)}`),
    restores: (count: number) => `restores ${files(count)}`,
    older: 'Load earlier messages',
    edit: 'Edit and send again',
    rewind: 'Rewind without sending',
    files: (restored: boolean) =>
      restored
        ? 'Nothing is deleted, and files that replies changed are restored.'
        : 'Nothing is deleted, and files are not restored.',
    filesCounted: (count: number) =>
      `Nothing is deleted, and ${count === 0 ? 'no files are' : plural(count, 'file is', 'files are')} restored.`,
    attachment: 'Attachment',
  },
  tray: {
    label: 'Rewound',
    hidden: (count: number, more: boolean) =>
      `${more ? plural(count, 'more message', 'more messages') : messages(count)} hidden`,
    restored: (count: number, hidden: number) =>
      hidden === 0 ? `${messages(count)} restored` : 'Back to before your edit',
    files: (count: number) => `${files(count)} restored`,
    restore: 'Restore',
    redo: 'Redo',
    show: 'Show',
    hide: 'Hide',
    timeline: 'Timeline',
    dismiss: 'Dismiss',
  },
  trace: {
    hidden: (count: number) => `${plural(count, 'earlier message', 'earlier messages')} hidden`,
    show: (count: number) => `Show ${messages(count)} hidden here`,
    hide: (count: number) => `Hide ${messages(count)} again`,
    restore: 'Restore',
    superseded: 'Hidden message',
  },
  timeline: {
    title: 'Timeline',
    lead: 'Every change to this chat. Nothing was deleted.',
    empty: 'No changes to this chat yet.',
    emptyHint: 'Rewinds, branches, summaries and model switches appear here. You can undo them.',
    undo: 'Undo',
    restore: (state: string, moment: string) => `Restore: ${state}, ${moment}`,
    before: {
      edit: 'before you changed the question',
      regenerate: 'before you asked for another reply',
      rewind: 'before you rewound',
      restore: 'before you restored',
      version: 'before you switched the version',
      summary: 'before the summary',
      'summary-undone': 'before you undid the summary',
    },
    goTo: 'Go to this message',
    open: 'Open',
    preview: (count: number) => `What it hid: ${messages(count)}`,
    more: (count: number) => `and ${count} more further up`,
    hid: (count: number) => `${messages(count)} hidden`,
    showed: (count: number) => `${messages(count)} restored`,
    files: (count: number) => `${files(count)} restored`,
    results: (count: number) => plural(count, 'tool result', 'tool results'),
    tokens: (before: string, after: string) => `${before} → ${after} tokens`,
    kinds: {
      rewind: 'Rewound',
      edit: 'Edited and sent again',
      unrewind: 'Restored',
      version: 'Switched the version',
      compaction: 'Summarised',
      autoCompaction: 'Summarised automatically',
      uncompaction: 'Summary undone',
      prune: 'Dropped old tool results',
      unprune: 'Restored tool results',
      uncondense: 'Full tool result used',
      recondense: 'Condensed tool result used again',
      branch: 'Branched',
      switch: 'Switched the model',
    },
    at: (text: string) => `at ${quoted(text)}`,
  },
  versions: {
    label: 'Versions',
    position: (at: number, total: number) => `Version ${at} of ${total}`,
    ofQuestion: 'Edits of this message',
    ofReply: 'Replies to this message',
    previous: 'Previous version',
    next: 'Next version',
    branch: (number: string) => `Branch ${number}`,
    unasked: (number: number | null) =>
      number === null ? 'New branch, no question yet' : `New branch ${number}, no question yet`,
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
    lead: 'The branches of this chat, and the chat it was branched from.',
    open: 'Branches of this chat',
    compare: (name: string) => `Compare with ${name}`,
    remove: (name: string) => `Delete ${name}`,
    side: 'Side question',
    here: 'You are here',
    alone: 'No branches yet. Branch from any message to try something else; this chat does not change.',
  },
  compaction: {
    summarised: (count: number) => `Summarised ${plural(count, 'earlier message', 'earlier messages')}`,
    summarisedSome: 'Summarised earlier messages',
    tokens: (before: string, after: string) => `${before} → ${after} tokens`,
    summary: 'The model reads this summary instead',
    showOriginals: 'Show the messages',
    hideOriginals: 'Hide the messages',
    undo: 'Undo',
    running: 'Summarising earlier messages. New messages are queued.',
    runningAuto: 'The context window is nearly full. Summarising earlier messages.',
    failed: 'Earlier messages could not be summarised.',
    retry: 'Try again',
    prune: 'Drop old tool results',
    newChat: 'New chat',
    dismiss: 'Dismiss',
  },
  contextActions: {
    compactsAt: 'Summarises at',
    compact: 'Summarise',
    compactHint: 'Earlier messages become a summary; you can undo it.',
    prune: 'Drop old tool results',
    pruneHint: 'Large old tool results are no longer sent to the model; you can restore them.',
  },
  fit: {
    compactsTitle: (model: string) => `${model} will read a summary`,
    compactsBody: (used: string, model: string, usable: string) =>
      `This chat has ${used} tokens and ${model} can read ${usable}. Before its next reply, earlier messages are summarised. Nothing is deleted, and you can undo it.`,
    tooSmallTitle: (model: string) => `This chat does not fit ${model}`,
    tooSmallBody: (used: string, model: string, usable: string) =>
      `It has ${used} tokens and ${model} can read ${usable}. Even a summary does not fit.`,
    branchAt: (text: string) =>
      `You can start a branch with that model after ${quoted(text)}, where the chat still fits.`,
    noBranch: 'No earlier point of it fits either. You can use that model in a new chat.',
    switch: 'Switch',
    branch: 'Branch instead',
    newChat: 'New chat',
    rowCompacts: 'Earlier messages will be summarised first',
    rowTooSmall: 'Does not fit, even summarised',
  },
  side: {
    title: 'Side question',
    lead: (count: number) =>
      `The model reads the ${messages(count)} of this chat. Nothing is added to the chat.`,
    placeholder: 'Ask about this chat',
    keep: 'Keep as a branch',
    discard: 'Discard',
    discardTitle: 'Discard this side question?',
    discardBody: 'The side question and its replies are deleted permanently. The chat does not change.',
    empty: 'Ask something about this chat without adding to it.',
    waits: 'A reply is running. You can ask when it has ended.',
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
    unrelated: 'These two chats have no messages in common.',
    tokens: (count: string) => `${count} tokens`,
    replying: (name: string) => `${name}: the reply has begun.`,
    replyEnded: (name: string) => `${name}: the reply has ended.`,
    outcome: (name: string, what: string) => `${name}: ${what}`,
  },
}
