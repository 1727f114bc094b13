import { plural } from './plural.ts'

/** What a call of a known tool does: `done` once it has, else `name`. */
export type ToolTitle = { name: string; done: string }

const titles: Readonly<Record<string, ToolTitle>> = {
  read: { name: 'Read', done: 'Read' },
  write: { name: 'Write', done: 'Wrote' },
  edit: { name: 'Edit', done: 'Edited' },
  glob: { name: 'Find files', done: 'Found files' },
  grep: { name: 'Search', done: 'Searched' },
  bash: { name: 'Run', done: 'Ran' },
  bash_output: { name: 'Read the output of a command', done: 'Read the output of a command' },
  bash_stop: { name: 'Stop a command', done: 'Stopped a command' },
  skill: { name: 'Load a skill', done: 'Loaded a skill' },
  task: { name: 'Ask a subagent', done: 'Asked a subagent' },
  todo: { name: 'Update the to-do list', done: 'Updated the to-do list' },
  question: { name: 'Ask you', done: 'Asked you' },
  web_search: { name: 'Search the web', done: 'Searched the web' },
  web_fetch: { name: 'Fetch', done: 'Fetched' },
  memory_write: { name: 'Remember', done: 'Remembered' },
  memory_read: { name: 'Read a memory', done: 'Read a memory' },
  memory_list: { name: 'List memories', done: 'Listed memories' },
  memory_delete: { name: 'Delete a memory', done: 'Deleted a memory' },
  recall: { name: 'Recall', done: 'Recalled' },
}

/** English texts of tool calls. */
export const toolWords = {
  titles,
  called: (count: number) => `Called ${plural(count, 'tool', 'tools')}`,
  calling: (count: number) => `Calling ${plural(count, 'tool', 'tools')}`,
  failures: (count: number) => `${count} failed`,
  preparing: 'Preparing',
  running: 'Running',
  waiting: 'Waiting for you',
  allowedOnce: 'Allowed once',
  allowedBy: {
    manifest: (rule: string) => `Allowed by the agent’s rule: ${rule}`,
    project: (rule: string) => `Allowed in this project: ${rule}`,
    session: (rule: string) => `Allowed in this chat: ${rule}`,
    mode: (mode: string) => `Allowed by the mode: ${mode}`,
  },
  deniedBecause: (reason: string) => `Denied: ${reason}`,
  answered: (answers: string) => `Answered: ${answers}`,
  noAnswer: 'No answer',
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  stopped: 'Stopped',
  exitCode: (code: number) => `Exit code ${code}`,
  arguments: 'Arguments',
  result: 'Result',
  error: 'Error',
  emptyResult: 'Empty result',
  openSubagent: 'Open the subagent',
  pruned: 'The model no longer reads this result. It is still stored.',
  condensed: (after: string, before: string) =>
    `The model reads a condensed result: ${after} instead of ${before} tokens`,
  uncondensed: (after: string, before: string) =>
    `The model reads the full result of ${before} tokens; a condensed one of ${after} is stored`,
  useWhole: 'Use the full result',
  useCondensed: 'Use the condensed result',
  condensedBy: (model: string) => `Condensed by ${model}`,
  showAll: (size: string) => `Show all ${size}`,
  showMore: (rest: string) => `Show more, ${rest} left`,
  todo: 'To-do list',
  todoProgress: (done: number, total: number) => `${done} of ${total} done`,
  todoStates: {
    pending: 'To do',
    'in-progress': 'In progress',
    completed: 'Done',
    cancelled: 'Cancelled',
  },
}

/** English texts of rendered markdown. */
export const markdownWords = {
  copyCode: 'Copy code',
  copied: 'Copied',
  plainText: 'text',
  loadImage: (host: string) => `Load image from ${host}`,
  image: 'Image',
  blockedImage: 'Image not shown: its address is not allowed.',
  imageFailed: (host: string) => `The image from ${host} can’t be loaded.`,
  diagram: 'Diagram',
  diagramFailed: 'This diagram can’t be drawn.',
  showSource: 'Show source',
  showDiagram: 'Show diagram',
  table: 'Table',
  wrap: 'Wrap lines',
  expand: 'Expand',
  code: (language: string) => `Code, ${language}`,
  opensInNewTab: 'opens in a new tab',
  tooLong: 'Shown as plain text: too long to format.',
  tooComplex: 'Shown as plain text: too deeply nested or too long to format.',
  notFormatted: 'Shown as plain text: it could not be formatted.',
}
