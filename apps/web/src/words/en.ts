import { BIN_DAYS } from '@palimpsest/core/domain'
import { createFormat } from '@palimpsest/ui'
import { inLanguage } from './in-language.ts'

const format = createFormat('en')

/** English texts of the pages; those of the components are in the catalogue of `@palimpsest/ui`. */
export const words = inLanguage('page', {
  title: (session: string | null) => (session === null ? 'Palimpsest' : `${session} · Palimpsest`),
  waiting: (title: string) => `Waiting for you: ${title}`,
  answeredElsewhere: 'Answered elsewhere.',
  unreachable: 'The server can’t be reached. Nothing is lost; the page reconnects automatically.',
  linkCopied: 'Link copied',
  replyCopied: 'Reply copied',
  notCopied: 'The browser did not allow copying.',
  archived: (title: string) => `“${title}” is in the archive.`,
  undo: 'Undo',
  deleteTitle: 'Delete this chat?',
  deleteBody: (chat: { title: string; branches: number; running: boolean }) =>
    [
      `“${chat.title}” and all its messages move to the bin. You can restore them for ${BIN_DAYS} days; then they are deleted forever.`,
      ...(chat.running ? ['The running reply is stopped first.'] : []),
      ...(chat.branches === 1 ? ['Its branch stays in the list unless you delete it too.'] : []),
      ...(chat.branches > 1
        ? [`Its ${chat.branches} branches stay in the list unless you delete them too.`]
        : []),
    ].join(' '),
  delete: 'Delete',
  deleteWithBranches: (count: number) =>
    count === 1 ? 'Delete with its branch' : `Delete with ${count} branches`,
  inBin: (title: string) => `“${title}” is in the bin.`,
  purgeTitle: 'Delete this chat forever?',
  purgeBody: (title: string) =>
    `“${title}”, all its messages and what was deleted together with it are removed. This can’t be undone.`,
  purge: 'Delete forever',
  thisChat: 'This chat',
  notSent: (to?: string) => (to === undefined ? 'Not sent.' : `Not sent to “${to}”.`),
  notSentOf: (message: string) => `Not sent: “${message}”.`,
  sentLater: (reason: string) => `${reason} It is sent as soon as the server answers.`,
  retry: 'Send again',
  discard: 'Discard',
  sending: 'Sending',
  tooLarge: (name: string, maxBytes: number) =>
    `“${name}” is too large: you can attach files up to ${format.bytes(maxBytes)}.`,
  tooMany: (count: number) => `You can attach up to ${count} files to a message.`,
  notRead: (model: string, names: readonly string[]) =>
    `${model} can’t read ${names.join(', ')}: it gets the ${names.length === 1 ? 'name' : 'names'} only.`,
  readByNone: (names: readonly string[]) =>
    `None of your models can read ${names.join(', ')}: only the ${names.length === 1 ? 'name is' : 'names are'} sent.`,
  switchTo: (model: string) => `Use ${model}`,
  unreadable: (name: string) => `“${name}” can’t be read.`,
  fileNotKept: (name: string) =>
    `“${name}” could not be kept in this browser; it will be lost on reload. It can still be sent.`,
  notKept: {
    text: 'This message could not be kept in this browser; it will be lost if the page closes before it is sent.',
    files: 'The files of this message could not be kept in this browser; they will be lost on reload.',
  },
  stopRun: 'Stop it',
  enteredKept: 'Stopped. What you entered is in the message field.',
  editKept: 'That message can no longer be edited. Your text is in the message field.',
  archivedNotice: 'This chat is archived.',
  shortcuts: {
    chats: 'Chats',
    writing: 'Writing',
    page: 'Page',
    newChat: 'New chat',
    palette: 'Command palette',
    sidebar: 'Show or hide the sidebar',
    focusComposer: 'Go to the message field',
    request: 'Go to what the reply waits for',
    copyReply: 'Copy the last reply',
    settings: 'Settings',
    help: 'Keyboard shortcuts',
    send: 'Send, or queue while a reply is running',
    newLine: 'New line',
    steer: 'Add to the running reply',
    interrupt: 'Interrupt and send',
    stop: 'Stop the reply',
  },
  commands: {
    group: 'Commands',
    chats: 'Chats',
    rename: 'Rename this chat',
    archive: 'Archive this chat',
    unarchive: 'Restore this chat from the archive',
    delete: 'Delete this chat',
    copyLink: 'Copy a link to this chat',
    export: 'Export this chat to a file',
    import: 'Import a chat from a file',
    bin: 'Open the bin',
    theme: { system: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
    addModel: 'Add a model',
    settings: 'Settings',
    chooseModel: 'Choose the model',
    permissions: 'Permissions of this chat',
    processes: 'Commands in the background',
  },
  suggestions: {
    explain: {
      title: 'Explain how a rainbow forms',
      prompt: 'Explain in simple words how a rainbow forms.',
    },
    plan: {
      title: 'Plan a weekend away',
      prompt: 'Help me plan a weekend away. Ask me what you need to know first.',
    },
    write: {
      title: 'Write a thank-you note',
      prompt: 'Help me write a short thank-you note. Ask me whom it is for first.',
    },
  },
  folder: {
    label: 'Folder of this chat',
    chosen: 'chosen',
    none: 'No folder',
    noneHint: 'The chat has no files and runs no commands',
    demo: 'Demo folder',
  },
  slash: {
    model: 'Choose the model',
    archive: 'Archive this chat',
    new: 'Start a new chat',
    help: 'Show the keyboard shortcuts',
    permissions: 'Show what this chat may do',
    processes: 'Show commands in the background',
  },
} as const)
