import { inLanguage } from './in-language.ts'

/** English texts about what files bring: instructions, skills, agents and commands. */
export const sourceWords = inLanguage('sources', {
  sources: {
    project: 'Folder of the chat',
    user: 'Your own folder',
    bundled: 'Built in',
    configured: 'Configuration',
  },
  loading: 'Loading',
  warnings: 'Warnings',
  instructions: 'Instructions',
  instructionsLead:
    'Files that are in the prompt of every turn, the nearest last. Those of a folder apply to its chats.',
  noInstructions: 'No AGENTS.md, CLAUDE.md or CONTEXT.md was found.',
  size: (characters: string) => `${characters} characters`,
  cut: 'not read whole',
  skills: 'Skills',
  skillsLead:
    'The model reads names and descriptions, and loads a skill when the work comes up. A skill permits nothing.',
  noSkills: 'No skills were found.',
  agents: 'Agents of files',
  agentsLead:
    'An agent that comes with a folder counts once you have read and allowed it. After a change it asks again.',
  noAgents: 'No agents were found. Add Markdown files to .agents/agents.',
  modes: { primary: 'for chats', subagent: 'for subtasks', all: 'for chats and subtasks' },
  allowed: 'Allowed',
  notAllowed: 'Not allowed yet',
  read: (path: string) => `Read ${path}`,
  allow: 'Allow',
  allowOf: (path: string) => `Allow ${path}`,
  withdraw: 'Withdraw',
  withdrawOf: (path: string) => `Withdraw the consent to ${path}`,
  allowedNow: (path: string) => `${path} is allowed.`,
  withdrawn: (path: string) => `${path} is no longer allowed.`,
  commands: 'Commands',
  commandsLead: 'Texts that you send by name: type / in the message field.',
  noCommands: 'No commands were found. Add Markdown files to .agents/commands.',
})
