import type { ModelRef } from '../domain/model.ts'

/** The content of the environment section. Nothing in it changes within a turn. */
export type Environment = {
  platform: string
  /** Null when the operator does not allow the session's folder. */
  workspaceRoot: string | null
  gitStatus: string | null
  /** `YYYY-MM-DD` */
  date: string
  model: ModelRef
}

export type PromptParts = {
  manifest: string
  environment: Environment
  tools: readonly { id: string; description: string }[]
}

/**
 * The system prompt: the agent's manifest, the environment and the tool catalogue, in this order, so that what changes
 * least comes first. Equal parts give equal bytes.
 */
export function assemblePrompt({ manifest, environment, tools }: PromptParts): string {
  return [manifest.trim(), environmentSection(environment), toolSection(tools)]
    .filter((section) => section !== '')
    .join('\n\n')
}

function environmentSection({ platform, workspaceRoot, gitStatus, date, model }: Environment): string {
  const variant = model.variant === undefined ? '' : ` (${model.variant})`
  const lines = [
    `Platform: ${platform}`,
    `Workspace: ${workspaceRoot ?? 'none, its folder is not allowed by the operator'}`,
    `Date: ${date}`,
    `Model: ${model.providerId}/${model.modelId}${variant}`,
    `Git: ${gitStatus ?? 'not a repository'}`,
  ]
  return `# Environment\n${lines.join('\n')}`
}

function toolSection(tools: PromptParts['tools']): string {
  if (tools.length === 0) return ''
  return `# Tools\n${tools.map(({ id, description }) => `- ${id}: ${description}`).join('\n')}`
}
