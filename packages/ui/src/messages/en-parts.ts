import { plural } from './plural.ts'

/** What a call of a known tool does: `done` once it has, `started` where that runs on, else `name`. */
export type ToolTitle = { name: string; done: string; started?: string }

const titles: Readonly<Record<string, ToolTitle>> = {
  read: { name: 'Read', done: 'Read' },
  write: { name: 'Write', done: 'Wrote' },
  edit: { name: 'Edit', done: 'Edited' },
  glob: { name: 'Find files', done: 'Found files' },
  grep: { name: 'Search', done: 'Searched' },
  bash: { name: 'Run', done: 'Ran', started: 'Started' },
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

/** What several calls of a known tool have done, inside of a sentence. */
const summaries: Readonly<Record<string, (count: number) => string>> = {
  read: (count) => `read ${plural(count, 'file', 'files')}`,
  write: (count) => `wrote ${plural(count, 'file', 'files')}`,
  edit: (count) => `made ${plural(count, 'change', 'changes')}`,
  glob: (count) => `looked for files ${times(count)}`,
  grep: (count) => `searched ${times(count)}`,
  bash: (count) => `ran ${plural(count, 'command', 'commands')}`,
  bash_output: (count) => `read the output of a command ${times(count)}`,
  bash_stop: (count) => `stopped ${plural(count, 'command', 'commands')}`,
  skill: (count) => `loaded ${plural(count, 'skill', 'skills')}`,
  task: (count) => `asked ${plural(count, 'subagent', 'subagents')}`,
  todo: (count) => `updated the to-do list ${times(count)}`,
  question: (count) => `asked you ${times(count)}`,
  web_search: (count) => `searched the web ${times(count)}`,
  web_fetch: (count) => `fetched ${plural(count, 'page', 'pages')}`,
  memory_write: (count) => `remembered ${plural(count, 'thing', 'things')}`,
  memory_read: (count) => `read ${plural(count, 'memory', 'memories')}`,
  memory_list: (count) => `listed memories ${times(count)}`,
  memory_delete: (count) => `deleted ${plural(count, 'memory', 'memories')}`,
  recall: (count) => `recalled ${times(count)}`,
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** Names of arguments of known tools; others keep their own. */
const argumentNames: Readonly<Record<string, string>> = {
  agent: 'Agent',
  background: 'In the background',
  body: 'Text',
  command: 'Command',
  content: 'Content',
  cwd: 'Folder',
  description: 'About',
  edits: 'Changes',
  kind: 'Kind',
  limit: 'At most',
  name: 'Name',
  offset: 'From line',
  path: 'Path',
  pattern: 'Pattern',
  prompt: 'Task',
  query: 'Search',
  scope: 'Holds for',
  timeout: 'Time limit',
  url: 'Address',
}

/** English texts of tool calls. */
export const toolWords = {
  titles,
  summaries,
  otherCalls: (count: number, name: string) => `called ${name} ${times(count)}`,
  argumentNames,
  /** Values of switches, and what a memory holds for. */
  values: { true: 'yes', false: 'no', project: 'this folder', global: 'every chat', user: 'every chat' },
  failures: (count: number) => `${count} failed`,
  denials: (count: number) => `${count} denied`,
  preparing: 'Preparing',
  running: 'Running',
  waiting: 'Waiting for you',
  allowedOnce: 'Allowed once',
  allowedBy: {
    manifest: (rule: string) => `Allowed by the agent’s rule: ${rule}`,
    project: (rule: string) => `Allowed in this folder: ${rule}`,
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
  inBackground: 'In the background',
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
  showFirst: (size: string) => `Show the first ${size}`,
  saveAll: (size: string) => `Save all ${size}`,
  wholeResult: 'Whole result',
  wholeFailed: 'The whole result could not be read. Try again.',
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
  enlarge: 'Enlarge the diagram',
  larger: 'Larger',
  smaller: 'Smaller',
  diagramFailed: 'This diagram can’t be drawn.',
  showSource: 'Show source',
  showDiagram: 'Show diagram',
  table: 'Table',
  tableOf: (heads: string) => `Table: ${heads}`,
  wrap: 'Wrap lines',
  expand: 'Expand',
  code: (language: string) => `Code, ${language}`,
  opensInNewTab: 'opens in a new tab',
  tooLong: 'Shown as plain text: too long to format.',
  tooComplex: 'Shown as plain text: too deeply nested or too long to format.',
  notFormatted: 'Shown as plain text: it could not be formatted.',
}
