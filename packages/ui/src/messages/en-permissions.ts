/** English texts of the change of a file. */
export const diffWords = {
  label: (path: string) => `Changes of ${path}`,
  created: 'New file',
  added: 'Lines added',
  removed: 'Lines removed',
  truncated: 'The rest of this difference is not shown.',
}

/** English texts of what a chat may do without asking. */
export const modeWords = {
  label: 'Mode',
  chosen: 'chosen',
  names: {
    ask: 'Ask',
    'accept-edits': 'Edit',
    plan: 'Plan',
    'full-access': 'Full',
  },
  descriptions: {
    ask: 'You are asked before files change and commands run.',
    'accept-edits': 'Files change without asking. You are asked about the rest.',
    plan: 'Files are read and a plan is made. Nothing changes until you approve it.',
    'full-access': 'Nothing is asked, in this chat.',
  },
  rules: 'Permissions of this chat…',
  planReady: 'The plan is ready for you.',
  approve: 'Approve and run',
  approveIn: 'Mode to run the plan in',
  keepPlanning: 'Keep planning',
  confirmTitle: 'Give full access?',
  confirm:
    'In this chat files are changed and commands are run without asking you. Text that the model reads may give it orders. Rules that deny still count.',
  confirmLabel: 'Give full access',
}
