/** Which dialog is open; `raise` is the budget of a reply that it has ended. */
export type HistoryDialog = 'prompts' | 'questions' | 'tree' | 'budget' | 'raise'
