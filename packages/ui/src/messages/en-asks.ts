import { plural } from './plural.ts'

/** English texts of the card over the composer that asks for an approval or an answer. */
export const askWords = {
  approve: (tool: string) => `Allow the call of ${tool}?`,
  answer: (count: number) => plural(count, 'question for you', 'questions for you'),
  more: (count: number) => `${count} more`,
  subagent: (agent: string) => `subagent ${agent}`,
  why: 'Why you are asked',
  noArguments: 'It has no arguments.',
  reason: 'Reason, if you deny',
  reasonHint: 'Reason, if you deny (optional, for the model)',
  deny: 'Deny',
  once: 'Allow once',
  session: 'In this chat',
  project: 'In this project',
  lasting: 'From now on also allow',
  only: (pattern: string) => `In this chat or project, ${pattern} is allowed from then on.`,
  own: 'Something else…',
  ownLabel: (question: string) => `Your own answer: ${question}`,
  several: 'Choose any number.',
  answered: (answered: number, total: number) => `${answered} of ${total} answered`,
  submit: 'Answer',
  sending: 'Sending your reply',
}
