/** A command of the composer. `takes` hints at its argument; without it the command runs when it is chosen. */
export type SlashCommand = {
  name: string
  description: string
  takes?: string
}

/** Commands that fit what is typed so far, or null while it is not the name of a command. */
export function slashMatches(value: string, commands: readonly SlashCommand[]): SlashCommand[] | null {
  const typed = /^\/(\S*)$/.exec(value)?.[1]?.toLowerCase()
  if (typed === undefined) return null
  return commands.filter((command) => command.name.toLowerCase().startsWith(typed))
}

/** The command that a text calls, with the rest as its argument; null when it calls none that is known. */
export function parseSlash(
  value: string,
  commands: readonly SlashCommand[],
): { command: SlashCommand; argument: string } | null {
  const [, name, argument = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(value.trim()) ?? []
  const command = commands.find((entry) => entry.name.toLowerCase() === name?.toLowerCase())
  return command ? { command, argument: argument.trim() } : null
}
