import { plural } from './plural.ts'

/** Words of tool calls, in English. */
export const toolWords = {
  called: (count: number) => `Called ${plural(count, 'tool', 'tools')}`,
  calling: (count: number) => `Calling ${plural(count, 'tool', 'tools')}`,
  failures: (count: number) => `${count} failed`,
  preparing: 'Preparing',
  running: 'Running',
  waiting: 'Needs approval',
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  stopped: 'Stopped',
  arguments: 'Arguments',
  output: 'Output',
  error: 'Error',
  noOutput: 'No output',
  pruned: 'The model now sees a stub in its place. This is what is stored.',
  condensed: (after: string, before: string) =>
    `The model now sees a condensed form: ${after} instead of ${before} tokens`,
  uncondensed: (after: string, before: string) =>
    `The model now sees all ${before} tokens of it; a condensed form of ${after} is kept`,
  useWhole: 'Use the whole output',
  useCondensed: 'Use the condensed form',
  condensedBy: (model: string) => `Condensed by ${model}`,
  showAll: (size: string) => `Show all ${size}`,
  showMore: (rest: string) => `Show more, ${rest} left`,
  todo: 'To-do list',
  todoProgress: (done: number, total: number) => `${done} of ${total} done`,
  todoStates: {
    pending: 'To do',
    'in-progress': 'In progress',
    completed: 'Done',
    cancelled: 'Dropped',
  },
}

/** Words of rendered markdown, in English. */
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
  code: (language: string) => `Code, ${language}`,
  opensInNewTab: 'opens in a new tab',
  tooLong: 'Shown as plain text: too long to format.',
  tooComplex: 'Shown as plain text: too deeply nested or too long to format.',
  notFormatted: 'Shown as plain text: it could not be formatted.',
}
