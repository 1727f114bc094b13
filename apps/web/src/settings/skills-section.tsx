import { createFormat } from '@palimpsest/ui'
import { LoadFailed } from '../agent/load-failed.tsx'
import { sourceWords as words } from '../words/en-sources.ts'
import { inFolders } from './in-folders.ts'
import { SourceList } from './source-list.tsx'
import { useSources } from './use-sources.ts'

const format = createFormat('en')

/** Instructions and skills of files, as they are for chats in each folder in use. */
export function SkillsSection() {
  const { data, error, refetch } = useSources('skills', async (client, place) => {
    const [instructions, skills] = await Promise.all([
      client.instruction.list.query(place),
      client.skill.list.query(place),
    ])
    return { instructions, skills }
  })
  if (data === undefined)
    return error ? (
      <LoadFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <p role="status">{words.loading}</p>
    )
  const instructions = inFolders(data.map(({ folder, instructions: list }) => ({ folder, ...list })))
  const skills = inFolders(data.map(({ folder, skills: list }) => ({ folder, ...list })))
  return (
    <div className="space-y-8">
      <SourceList
        title={words.instructions}
        lead={words.instructionsLead}
        empty={words.noInstructions}
        warnings={instructions.warnings}
        rows={instructions.items.map(({ path, source, characters, cut, folder }) => ({
          key: `${folder} ${source} ${path}`,
          name: path,
          description: '',
          facts: [
            folder ?? words.sources[source],
            words.size(format.count(characters)),
            ...(cut ? [words.cut] : []),
          ],
        }))}
      />
      <SourceList
        title={words.skills}
        lead={words.skillsLead}
        empty={words.noSkills}
        warnings={skills.warnings}
        rows={skills.items.map(({ name, description, source, path, folder }) => ({
          key: `${folder} ${source} ${name}`,
          name,
          description,
          facts: [folder ?? words.sources[source], ...(source === 'bundled' ? [] : [path])],
        }))}
      />
    </div>
  )
}
