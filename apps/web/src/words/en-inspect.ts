import { createFormat, plural } from '@palimpsest/ui'
import { inLanguage } from './in-language.ts'

const format = createFormat('en')

/** English texts of the page that inspects a chat, which load with it. */
export const inspectWords = inLanguage('inspect', {
  title: (chat: string) => `Inspect ${chat}`,
  thisChat: 'this chat',
  back: 'Back to the chat',
  export: 'Export',
  refresh: 'Read again',
  loading: 'Reading the chat',
  earlier: 'Show earlier messages',
  empty: 'This chat has no messages yet.',
  views: { steps: 'Steps', decisions: 'Permissions', tokens: 'Tokens', rows: 'Rows' },
  lead: {
    steps:
      'Each reply with its model calls, the tool calls that they asked for, and its exact system prompt.',
    decisions: 'Each tool call, and the rule, mode or person that decided about it.',
    tokens: 'What the provider has counted for each reply. Hidden replies are listed too.',
    rows: 'The rows of the database, as they are stored. Long JSON is cut; the export has all of it.',
  },
  you: 'You',
  hidden: 'Hidden',
  open: 'Open in the chat',
  unknown: '–',
  step: 'Step',
  model: 'Model',
  finish: 'Finish',
  duration: 'Time',
  tokens: 'Tokens',
  tokensOf: (count: number) => plural(count, 'token', 'tokens'),
  cost: 'Cost',
  calls: 'Calls',
  stepsOf: (reply: string) => `Steps of ${reply}`,
  stepsLeftOut: (count: number) => `${plural(count, 'more step is', 'more steps are')} not shown.`,
  callsLeftOut: (count: number) => `${plural(count, 'more call is', 'more calls are')} not shown.`,
  noSteps: 'No model call was completed.',
  prompt: 'System prompt',
  tools: 'Tools in the prompt',
  digest: (digest: string) => `SHA-256 ${digest}`,
  noPrompt: 'No system prompt is stored with this reply.',
  noTools: 'The prompt lists no tools.',
  tool: 'Tool',
  state: 'State',
  decision: 'Decision',
  noCalls: 'No tool was called in these messages.',
  decisions: {
    none: 'Needs no permission',
    waiting: 'Waits for a person',
    automatic: 'Allowed automatically',
    denied: 'Denied',
  },
  reply: 'Reply',
  total: 'Whole chat',
  counts: {
    input: 'Input',
    output: 'Output',
    reasoning: 'Reasoning',
    cacheRead: 'Cached',
    cacheWrite: 'Written to cache',
  },
  place: (seq: number) => `Message ${format.count(seq)}`,
  queued: 'Queued',
  metadata: 'Metadata',
  part: (index: number, type: string) => `Part ${format.count(index)}: ${type}`,
  cut: (shown: number, characters: number) =>
    `${format.count(shown)} of ${format.count(characters)} characters`,
  partsLeftOut: (count: number) => `${plural(count, 'more part is', 'more parts are')} not shown.`,
  studio: 'All tables',
  studioHint:
    'Prisma Studio opens the database, also while the server runs. Start it in the folder of the server, and only read there.',
} as const)
