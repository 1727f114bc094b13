import type { Suggestion } from '@palimpsest/ui'
import { CalendarDays, Lightbulb, PenLine } from 'lucide-react'
import { words } from '../words/en.ts'

/** A suggestion with the prompt that it sends. */
type Prompt = Suggestion & { prompt: string }

const ICONS = {
  explain: <Lightbulb aria-hidden size={16} />,
  plan: <CalendarDays aria-hidden size={16} />,
  write: <PenLine aria-hidden size={16} />,
} as const

/** What a new chat suggests, in the language that is set; the same for every model. */
export function prompts(): readonly Prompt[] {
  return (['explain', 'plan', 'write'] as const).map((id) => ({
    id,
    icon: ICONS[id],
    ...words.suggestions[id],
  }))
}
