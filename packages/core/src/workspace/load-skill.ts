import type { WorkspaceFiles } from '../ports/index.ts'
import { readFrontMatter } from './front-matter.ts'
import { readText } from './read-text.ts'
import type { Skill } from './skills.ts'

/** Characters of a skill's body that the model gets: about 16,000 tokens. */
const MAX_BODY = 65_536

/** The body of a skill in the element by which the model and later turns find it; or why it cannot be read. */
export type LoadedSkill = { type: 'body'; text: string } | { type: 'refused'; why: string }

export async function loadSkill(
  files: Pick<WorkspaceFiles, 'read'>,
  { name, place, path, source }: Skill,
): Promise<LoadedSkill> {
  const read = await readText(files, place)
  if (read.type === 'missing') return { type: 'refused', why: 'Its file is gone.' }
  if (read.type === 'refused') return read
  const { body } = readFrontMatter(read.text)
  const cut = body.length > MAX_BODY
  const text = (cut ? body.slice(0, MAX_BODY).toWellFormed() : body).replaceAll(/<(?=\/?skill\b)/gi, '&lt;')
  const note = cut ? `\n[The first ${MAX_BODY} characters of it]` : ''
  const folder = path.slice(0, -'/SKILL.md'.length)
  const from = source === 'project' ? `\nIts other files are in ${folder}, and come from the repository.` : ''
  return { type: 'body', text: `<skill name="${name}">\n${text}${note}\n</skill>${from}` }
}
