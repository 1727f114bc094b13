import { TOOL_HEADING } from './assemble.ts'

/** A tool of a prompt. Prompts of earlier versions described each; null where the prompt has its name alone. */
type PromptTool = { id: string; description: string | null }

/** The tool catalogue of a system prompt, which is its last section; empty without any. */
export function toolsOfPrompt(prompt: string): PromptTool[] {
  const lines = prompt.split('\n')
  const heading = lines.lastIndexOf(TOOL_HEADING)
  if (heading === -1) return []
  const section = lines.slice(heading + 1)
  const described = section.flatMap((line): PromptTool[] => {
    const [, id, description = ''] = /^- (\S+): (.*)$/.exec(line) ?? []
    return id === undefined ? [] : [{ id, description }]
  })
  if (described.length > 0) return described
  return (section[0] ?? '').split(', ').flatMap((id) => (id === '' ? [] : [{ id, description: null }]))
}
