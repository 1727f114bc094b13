import { echo } from './echo.ts'

const MOST_LINES = 8

/** True when the instructions ask for the summary of a conversation, which then takes the place of the user's text. */
export function wantsSummary(instructions: string, said: string, tools: number): boolean {
  return tools === 0 && /\bsummary\b/i.test(instructions) && /^<(conversation|part)\b/.test(said)
}

/** A summary in the person's own words: the first lines of what they said, the newest of them, in order. */
export function summaryOf(said: string): string {
  const lines = [...said.matchAll(/<user>\n(.+)|^- “(.+)”$/gm)].map(([, spoken, kept]) =>
    spoken === undefined ? (kept ?? '') : echo(spoken),
  )
  const [goal = 'Nothing was said yet.'] = lines
  const points = lines.slice(-MOST_LINES).map((line) => `- “${line}”`)
  return [
    `## Goal\n“${goal}”`,
    `## Progress\nWhat was asked, in order:\n\n${points.join('\n')}`,
    '## Next steps\nTo go on from here. A real model would also note what was found out and decided; I am the demo model and only kept your words.',
  ].join('\n\n')
}
