import type { SlashCommand } from '@palimpsest/ui'
import { words } from '../words/en.ts'

/** Commands of the composer that exist; what is none of them goes to the model as text. */
export const slashCommands: readonly SlashCommand[] = [
  { name: 'model', description: words.slash.model },
  { name: 'archive', description: words.slash.archive },
  { name: 'new', description: words.slash.new },
  { name: 'help', description: words.slash.help },
]
