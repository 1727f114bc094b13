import type { SlashCommand } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import type { CommandPlace } from '../agent/command-place.ts'
import { useApp } from '../stores/app-context.tsx'

/** Milliseconds after which files are read again once a command is typed. */
const FRESH_MS = 10_000

/** Commands of files, read while a text that begins with `/` is written. */
export function useFileCommands(place: CommandPlace, text: string) {
  const { client, toasts } = useApp()
  const { data } = useQuery({
    queryKey: ['commands', place],
    enabled: text.startsWith('/'),
    staleTime: FRESH_MS,
    queryFn: async () => (await client().command.list.query(place)).items,
  })
  const commands: SlashCommand[] = (data ?? []).map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== '' && { takes: hint }),
  }))

  /** The text that a command sends; null when it cannot be read, which a toast says. */
  async function expand(name: string, argument: string): Promise<string | null> {
    let expanded = ''
    const keep = (answer: { text: string }) => {
      expanded = answer.text
    }
    const call = client().command.expand.query({ ...place, name, arguments: argument })
    const done = await toasts.guard(call.then(keep))
    return done ? expanded : null
  }

  return { commands, expand }
}
