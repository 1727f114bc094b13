import { skillsOf } from '../context/loaded-skills.ts'
import type { ChatMessage } from '../domain/message/message.ts'
import type { WorkspaceFiles } from '../ports/index.ts'
import type { RunSkills } from '../tool/tool.ts'
import { loadSkill } from '../workspace/load-skill.ts'
import type { Skill } from '../workspace/skills.ts'
import type { Thread } from './read-thread.ts'

type SkillRun = { thread: Pick<Thread, 'skills'>; recorder: { readonly message: ChatMessage } }

/** The skills of a turn. One is loaded while its body is in what the model sees, so a rewind makes it loadable again. */
export function createRunSkills(
  skills: readonly Skill[],
  { thread, recorder }: SkillRun,
  files: Pick<WorkspaceFiles, 'read'>,
): RunSkills {
  const loaded = new Set(thread.skills)
  return {
    names: skills.map(({ name }) => name),
    isLoaded: (name) =>
      loaded.has(name) ||
      recorder.message.parts.some((part) => skillsOf(part).some((one) => one.name === name)),
    async load(name) {
      const skill = skills.find((one) => one.name === name)
      if (skill === undefined) return { type: 'refused', why: 'It is gone.' }
      const body = await loadSkill(files, skill)
      // A second call of the same step is not in the reply yet.
      if (body.type === 'body') loaded.add(name)
      return body
    },
  }
}
