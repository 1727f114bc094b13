import { isObject } from '../domain/json/stored-keys.ts'
import { type ChatPart, isOwnCall } from '../domain/message/message.ts'
import { outputText } from './output-text.ts'

/** A skill whose body is in the conversation. */
export type LoadedSkill = { name: string; text: string }

/** The skills that a part brings: the output of the tool `skill`, or a summary that carries on what was loaded before it. */
export function skillsOf(part: ChatPart): LoadedSkill[] {
  if (part.type === 'data-compaction') return carriedSkills(part.data)
  if (!isOwnCall(part) || part.type !== 'tool-skill') return []
  const output = part.state === 'output-available' ? part.output : null
  if (!isObject(output) || !isObject(output['data'])) return []
  const name = output['data']['skill']
  return typeof name === 'string' ? [{ name, text: outputText(output) }] : []
}

/** What a summary carries; what has another shape is left out. */
export function carriedSkills(data: unknown): LoadedSkill[] {
  if (!isObject(data) || !Array.isArray(data['skills'])) return []
  return data['skills'].flatMap((one: unknown) => {
    if (!isObject(one)) return []
    const { name, text } = one
    return typeof name === 'string' && typeof text === 'string' ? [{ name, text }] : []
  })
}

/** Those that were loaded last, as many as `characters` hold, in the order in which they were loaded; each once. */
export function newestSkills(loaded: readonly LoadedSkill[], characters: number): LoadedSkill[] {
  const kept = new Map<string, LoadedSkill>()
  let left = characters
  for (const skill of loaded.toReversed()) {
    if (kept.has(skill.name) || skill.text.length > left) continue
    left -= skill.text.length
    kept.set(skill.name, skill)
  }
  return [...kept.values()].reverse()
}
