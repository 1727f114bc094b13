import { createFormat } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../agent/load-failed.tsx'
import { useApp } from '../stores/app-context.tsx'
import { sourceWords as words } from '../words/en-sources.ts'
import { SourceList } from './source-list.tsx'

const format = createFormat('en')

/** Instructions and skills of files, as they are for chats in the first folder. */
export function SkillsSection() {
  const { client } = useApp()
  const { data, error, refetch } = useQuery({
    queryKey: ['sources', 'skills'],
    refetchOnMount: 'always',
    queryFn: async () => {
      const [instructions, skills] = await Promise.all([
        client().instruction.list.query({}),
        client().skill.list.query({}),
      ])
      return { instructions, skills }
    },
  })
  if (data === undefined)
    return error ? (
      <LoadFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <p role="status">{words.loading}</p>
    )
  const { instructions, skills } = data
  return (
    <div className="space-y-8">
      <SourceList
        title={words.instructions}
        lead={words.instructionsLead}
        empty={words.noInstructions}
        warnings={instructions.warnings}
        rows={instructions.items.map(({ path, source, characters, cut }) => ({
          key: `${source} ${path}`,
          name: path,
          description: '',
          facts: [words.sources[source], words.size(format.count(characters)), ...(cut ? [words.cut] : [])],
        }))}
      />
      <SourceList
        title={words.skills}
        lead={words.skillsLead}
        empty={words.noSkills}
        warnings={skills.warnings}
        rows={skills.items.map(({ name, description, source, path }) => ({
          key: name,
          name,
          description,
          facts: [words.sources[source], ...(source === 'bundled' ? [] : [path])],
        }))}
      />
    </div>
  )
}
