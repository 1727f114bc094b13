import { TOOL_HEADING } from './assemble.ts'

/** The tool catalogue of a system prompt, which is its last section; empty without any. */
export function toolsOfPrompt(prompt: string): { id: string; description: string }[] {
  const lines = prompt.split('\n')
  const heading = lines.lastIndexOf(TOOL_HEADING)
  if (heading === -1) return []
  return lines.slice(heading + 1).flatMap((line) => {
    const [, id, description = ''] = /^- (\S+): (.*)$/.exec(line) ?? []
    return id === undefined ? [] : [{ id, description }]
  })
}
