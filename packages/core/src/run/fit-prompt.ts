import { charactersToTokens } from '../context/estimate-tokens.ts'
import type { PromptLeftOut } from '../domain/window/prompt-left-out.ts'
import { assemblePrompt, type PromptParts } from '../prompt/assemble.ts'
import { definitionLength } from '../tool/ai-tools.ts'
import { leavingOrder } from '../tool/leaving-order.ts'
import type { ToolCatalogue } from '../tool/mcp/tool-catalogue.ts'
import { skillTool } from '../tool/skill.ts'
import type { Tool, ToolFacts } from '../tool/tool.ts'
import { withinTokens } from '../workspace/instructions.ts'

/** What a system prompt is made of, but for the names of the tools. */
export type PromptTexts = Omit<PromptParts, 'tools'>

/** Shares of the fixed part's limit that texts may take in a small window. The tools have the rest. */
const INSTRUCTION_SHARE = 0.5
const LIST_SHARE = 0.125
const CHARACTERS_PER_TOKEN = 4

/** Tools that were found, and are offered beside the listed ones in a small window. */
const MOST_FOUND = 2

/** Tokens of the fixed part of a request: the system prompt and the definitions of these tools. */
export function fixedTokens(prompt: string, tools: readonly Tool[], providerId: string): number {
  const definitions = tools.reduce((sum, tool) => sum + definitionLength(tool), 0)
  return charactersToTokens(prompt.length + definitions, providerId)
}

/**
 * The parts of a prompt whose fixed part takes at most `limit` tokens; null for no limit. Where it takes more, texts are cut to their
 * shares, then tools leave the catalogue, the least used first. `leftOut` is null when nothing is left out.
 */
export function fitPrompt(
  texts: PromptTexts,
  { catalogue, facts }: { catalogue: ToolCatalogue; facts: ToolFacts },
  { limit, providerId }: { limit: number | null; providerId: string },
): { parts: PromptParts; leftOut: PromptLeftOut | null } {
  const within = (some: PromptTexts) => {
    const tools = catalogue.listed(facts)
    const parts = { ...some, tools: tools.map(({ id }) => id) }
    return { parts, fits: limit === null || fixedTokens(assemblePrompt(parts), tools, providerId) <= limit }
  }
  catalogue.leave(new Set(), Number.POSITIVE_INFINITY)
  const whole = within(texts)
  if (limit === null || whole.fits) return { parts: whole.parts, leftOut: null }

  const cut = cutTexts(texts, limit)
  const leaving: string[] = []
  const order = leavingOrder(catalogue.listed(facts))
  let now = within(cut.texts)
  for (const { id } of order) {
    if (now.fits) break
    leaving.push(id)
    catalogue.leave(new Set(leaving), MOST_FOUND)
    now = within(leaving.includes(skillTool.id) ? { ...cut.texts, skills: [] } : cut.texts)
  }
  const { parts } = now
  const kept = new Set(parts.skills.map(({ name }) => name))
  return {
    parts,
    leftOut: {
      limit,
      tools: leaving,
      skills: texts.skills.flatMap(({ name }) => (kept.has(name) ? [] : [name])),
      instructions: cut.instructions,
      personal: parts.personal !== texts.personal,
      memories: (parts.memories ?? '') !== (texts.memories ?? ''),
    },
  }
}

/** The texts within their shares of `limit` tokens: the person's instructions first, then files, the nearest first. */
function cutTexts(texts: PromptTexts, limit: number): { texts: PromptTexts; instructions: string[] } {
  const forInstructions = Math.floor(limit * INSTRUCTION_SHARE)
  const personal = texts.personal.slice(0, forInstructions * CHARACTERS_PER_TOKEN)
  const left = forInstructions - Math.ceil(personal.length / CHARACTERS_PER_TOKEN)
  const { kept, cut } = withinTokens(texts.instructions, left)
  const listed = limit * LIST_SHARE * CHARACTERS_PER_TOKEN
  return {
    texts: {
      ...texts,
      personal,
      instructions: kept,
      skills: firstWithin(texts.skills, listed, ({ name, description }) => name.length + description.length),
      memories: firstMemories(texts.memories ?? '', listed),
    },
    instructions: cut.map(({ path }) => path),
  }
}

/** The beginning of the section of memories; empty where that would be its heading alone. */
function firstMemories(section: string, characters: number): string {
  const lines = firstWithin(section.split('\n'), characters, (line) => line.length + 1)
  return lines.some((line) => line.startsWith('- ')) ? lines.join('\n') : ''
}

/** The first of these that have at most so many characters together. */
function firstWithin<T>(items: readonly T[], characters: number, lengthOf: (item: T) => number): T[] {
  let left = characters
  const end = items.findIndex((item) => {
    left -= lengthOf(item)
    return left < 0
  })
  return end === -1 ? [...items] : items.slice(0, end)
}
