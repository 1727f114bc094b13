import { skillsOf } from '../context/loaded-skills.ts'
import { isLeftOut } from '../context/model-view.ts'
import type { ChatMessage, StoredMessage } from '../domain/message.ts'
import type { WorkspaceFiles } from '../ports/index.ts'
import { loadSkill } from '../project/load-skill.ts'
import type { Skill } from '../project/skills.ts'
import type { SkillShelf } from '../tool/tool.ts'

type ShelfRun = { visible: readonly StoredMessage[]; recorder: { readonly message: ChatMessage } }

/** The skills of a turn. One is loaded while its body is in what the model sees, so a rewind makes it loadable again. */
export function createSkillShelf(
  skills: readonly Skill[],
  { visible, recorder }: ShelfRun,
  files: Pick<WorkspaceFiles, 'read'>,
): SkillShelf {
  const seen = visible
    .filter((message) => !isLeftOut(message))
    .flatMap(({ parts }) => parts.flatMap(({ data, prunedAt }) => (prunedAt === null ? skillsOf(data) : [])))
  const loaded = new Set(seen.map(({ name }) => name))
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
