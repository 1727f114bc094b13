import type { PermissionRule } from '../domain/permission/permission.ts'
import type { Agent } from '../run/agent.ts'
import type { AgentFile } from '../workspace/agent-file.ts'

/** What an agent that only reads may not do, whatever other rules allow. */
const CHANGES_NOTHING: PermissionRule = {
  permission: 'edit',
  pattern: '*',
  action: 'deny',
  source: 'manifest',
  pinned: true,
}

const WRITING: ReadonlySet<string> = new Set(['write', 'edit'])

/** The agent of a file: what the file leaves open is as in `base`, and it has no tool that `base` lacks. */
export function toAgent(file: AgentFile, { mcp, ...base }: Agent): Agent {
  const { id, prompt, tools, without, readOnly } = file
  const mayHave = (tool: string) =>
    (tools === null || tools.includes(tool)) && !without.includes(tool) && !(readOnly && WRITING.has(tool))
  return {
    ...base,
    // A list of tools names none of a server.
    ...(tools === null && mcp && { mcp }),
    id,
    description: file.description,
    mode: file.mode,
    prompt,
    tools: base.tools.filter((tool) => mayHave(tool.id)),
    rules: [...base.rules, ...file.rules, ...(readOnly ? [CHANGES_NOTHING] : [])],
    ...(readOnly && { readOnly }),
    maxSteps: file.maxSteps ?? base.maxSteps,
    ...(file.model !== null && { model: file.model }),
  }
}
