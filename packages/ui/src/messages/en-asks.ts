import { plural } from './plural.ts'

/** How a call of a known tool is asked about. */
const APPROVALS = new Map([
  ['read', 'Allow reading this file?'],
  ['write', 'Allow writing this file?'],
  ['edit', 'Allow changing this file?'],
  ['bash', 'Allow running this command?'],
  ['web_fetch', 'Allow fetching this page?'],
  ['web_search', 'Allow searching the web?'],
  ['memory_write', 'Allow remembering this?'],
  ['memory_delete', 'Allow deleting this memory?'],
  ['task', 'Allow asking a subagent?'],
  ['skill', 'Allow loading this skill?'],
])

const ALL = new Map<string, (count: number) => string>([
  ['read', (count) => `Allow reading these ${count} files?`],
  ['write', (count) => `Allow writing these ${count} files?`],
  ['edit', (count) => `Allow these ${count} changes of files?`],
  ['bash', (count) => `Allow running these ${count} commands?`],
  ['web_fetch', (count) => `Allow fetching these ${count} pages?`],
  ['web_search', (count) => `Allow these ${count} searches of the web?`],
])

/** English texts of the card over the composer that asks for an approval or an answer. */
export const askWords = {
  approve: (tool: string) => APPROVALS.get(tool) ?? `Allow the call of ${tool}?`,
  approveAll: (count: number, tool: string) =>
    ALL.get(tool)?.(count) ?? `Allow these ${count} calls of ${tool}?`,
  showAll: (count: number) => `All ${count}…`,
  allowAll: (count: number) => `Allow all ${count} once`,
  oneByOne: 'One by one',
  place: (place: number, count: number) => `${place} of ${count}`,
  answer: (count: number) => plural(count, 'question for you', 'questions for you'),
  more: (count: number) => `${count} more`,
  subagent: (agent: string) => `subagent ${agent}`,
  why: 'Why you are asked',
  reasons: {
    none: (what: string) => `No rule allows this: ${what}.`,
    rule: (what: string) => `A rule asks about this: ${what}.`,
  },
  noArguments: 'It has no arguments.',
  reason: 'Reason, if you deny',
  reasonHint: 'Reason, if you deny (optional, for the model)',
  deny: 'Deny',
  once: 'Allow once',
  session: 'In this chat',
  project: 'In this folder',
  lasting: 'From now on also allow',
  only: (pattern: string) => `In this chat or folder, ${pattern} is allowed from then on.`,
  own: 'Something else…',
  ownLabel: (question: string) => `Your own answer: ${question}`,
  several: 'Choose any number.',
  answered: (answered: number, total: number) => `${answered} of ${total} answered`,
  submit: 'Answer',
  sending: 'Sending your reply',
  form: (server: string) => `${server} asks you`,
  formNote: (server: string) => `Your answers are sent to the MCP server ${server}. Enter no passwords.`,
  closeForm: 'Close',
  declineForm: 'Decline',
  optional: 'optional',
  noAnswer: 'No answer',
  openFirst: 'To allow it, open what is folded',
  seeFirst: 'To allow it, see its end',
  below: 'More below',
  moreArguments: (count: number) => plural(count, 'more argument', 'more arguments'),
  cutDifference:
    'This difference is too long to be shown whole. What will be written is in the arguments below, to its end; it can be allowed only once.',
}

/** English texts for what stands in the place of characters and lines. */
export const exactWords = {
  spaces: (count: number) => plural(count, 'space', 'spaces'),
  tabs: (count: number) => plural(count, 'tab', 'tabs'),
  blanks: (count: number) => plural(count, 'space or tab', 'spaces and tabs'),
  blankLines: (count: number) => plural(count, 'blank line', 'blank lines'),
  moreLines: (count: number) => plural(count, 'more line', 'more lines'),
  moreCharacters: (count: number) => plural(count, 'more character', 'more characters'),
}
