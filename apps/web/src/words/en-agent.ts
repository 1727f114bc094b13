import { createFormat } from '@palimpsest/ui'
import { inLanguage } from './in-language.ts'

const format = createFormat('en')

/** English texts about what a chat may do and what it runs; they load with what shows them. */
export const agentWords = inLanguage('agent', {
  goAhead: 'The plan is approved. Carry it out.',
  close: 'Close',
  loading: 'Loading',
  again: 'Try again',
  permissions: {
    title: 'Permissions of this chat',
    lead: 'What this chat may do without asking, and what is denied.',
    /** What a rule is about. */
    acts: {
      read: 'Read files',
      edit: 'Change files',
      network: 'Read web pages',
      command: 'Run commands',
      memory: 'Remember things',
      '*': 'Everything',
      mcp: 'Call MCP tools',
    },
    actions: { allow: 'Allowed', deny: 'Denied', ask: 'Asks first' },
    pinned: 'can’t be loosened',
    boxed: 'in the sandbox only',
    given: (date: string) => `given ${date}`,
    revoke: 'Revoke',
    revokeOf: (act: string, pattern: string) => `Revoke: ${act} ${pattern}`,
    revoked: (act: string, pattern: string) => `Revoked: ${act} ${pattern}. You are asked again.`,
    session: 'In this chat',
    sessionEmpty: 'Nothing is allowed for this chat alone.',
    project: 'In this folder',
    projectEmpty: 'Nothing is allowed for all chats of this folder.',
    all: 'All folders and the sandbox',
  },
  agents: {
    label: 'Agent of this chat',
    chosen: 'chosen',
    gone: 'no longer available: choose another',
  },
  sandbox: {
    title: 'Where commands run',
    bwrap:
      'In a sandbox (bubblewrap): a command can change files only in the folder of its chat and has no network.',
    srt: 'In a sandbox (sandbox-runtime): a command can change files only in the folder of its chat.',
    none: 'Without a sandbox: commands have the rights of the server. Every command that does more than read is asked about.',
  },
  projects: {
    title: 'Folders',
    lead: 'What you allowed for all chats of a folder. Permissions of one chat are in that chat, under its mode.',
    empty: 'No lasting permissions yet.',
    emptyHint: 'When a chat asks you, “In this folder” adds one here.',
    configured: 'Configuration file',
    configuredLead: (file: string) => `Set in ${file}, for every folder. Change them there.`,
    configuredEmpty: (file: string) => `${file} sets no permissions.`,
    builtIn: 'Built in',
  },
  processes: {
    title: 'Commands in the background',
    lead: 'They run on until they end, you stop them, or the chat is archived.',
    running: (count: number) => (count === 1 ? '1 command running' : `${count} commands running`),
    empty: 'No command runs in the background.',
    emptyHint:
      'The model can start one, such as a development server. It is listed here until the server stops.',
    state: {
      running: (since: string) => `Running for ${since}`,
      exited: (code: number) => (code === 0 ? 'Finished' : `Failed with exit code ${code}`),
      killed: 'Stopped',
    },
    started: (time: string) => `started ${time}`,
    stop: 'Stop',
    stopOf: (command: string) => `Stop: ${command}`,
    stopping: 'Stopping',
    output: 'Output',
    outputOf: (command: string) => `Output of ${command}`,
    noOutput: 'No output yet.',
    cut: (characters: number) => `${format.count(characters)} earlier characters are not shown.`,
  },
  subagent: {
    label: (agent: string) => `Subagent ${agent}`,
    starting: 'Starting',
    thinking: 'Thinking',
    retrying: 'Trying again',
    failedBecause: (reason: string) => `Failed: ${reason}`,
    notStarted: (reason: string) => `Could not start: ${reason}`,
    interrupted: 'Ended by a restart of the server',
    background: 'In the background',
    stop: 'Stop',
    stopOf: (agent: string) => `Stop the subagent ${agent}`,
    stopping: 'Stopping',
    open: 'Open',
    openOf: (agent: string) => `Open the subagent ${agent}`,
    earlier: (count: number) => (count === 1 ? '1 earlier call' : `${count} earlier calls`),
    empty: 'It has not written anything yet.',
    gone: 'Its chat is no longer there.',
    page: (agent: string) =>
      `This is the work of the subagent ${agent}. What it may do is decided in the chat that started it.`,
    back: 'Back to that chat',
  },
} as const)
