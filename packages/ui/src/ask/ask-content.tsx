import type { PendingPermission } from '@palimpsest/core/domain'
import { OpenDiff } from '../diff/diff-view.tsx'
import { ExactLines, FoldButton, type Open } from '../exact/exact-lines.tsx'
import { visibleText } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { useArgumentWords } from '../tool/argument-rows.tsx'
import type { AskSection } from './ask-sections.ts'
import { LongPatterns, type PatternChoiceProps } from './pattern-choice.tsx'

export type AskContentProps = {
  permission: PendingPermission
  sections: readonly AskSection[]
  /** The choice of a long pattern. */
  choice: PatternChoiceProps
  onOpen: Open
}

/** Why a call is asked about, and all that it will do. */
export function AskContent({ sections, ...props }: AskContentProps) {
  return sections.map((section, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an ask never change places
    <Section key={at} section={section} {...props} />
  ))
}

type SectionProps = Omit<AskContentProps, 'sections'> & { section: AskSection }

function Section({ section, permission, choice, onOpen }: SectionProps) {
  const { ask } = useMessages()
  const words = useArgumentWords(permission.tool)
  switch (section.kind) {
    case 'reason':
      return (
        <div className="text-sm text-muted wrap-anywhere">
          <span className="sr-only">{ask.why}: </span>
          <div className="whitespace-pre-wrap">
            <ExactLines lines={section.lines} onOpen={onOpen} />
          </div>
        </div>
      )
    case 'diff':
      return permission.change && <OpenDiff change={permission.change} rows={section.rows} onOpen={onOpen} />
    case 'argument':
      return (
        <dl>
          <dt className={section.unnamed ? 'sr-only' : 'exact text-xs text-faint'}>
            {visibleText(words.nameOf(section.name))}
          </dt>
          <dd className="exact rounded-md bg-inset px-3 py-2 font-code text-sm leading-snug">
            <ExactLines lines={section.lines} onOpen={onOpen} />
          </dd>
        </dl>
      )
    case 'patterns':
      return <LongPatterns {...choice} patterns={section.patterns} onOpen={onOpen} />
    case 'short':
      return <ShortArguments entries={section.entries} words={words} />
    case 'folded':
      return <FoldButton label={ask.moreArguments(section.count)} onOpen={onOpen} />
    case 'none':
      return <p className="text-sm text-muted">{ask.noArguments}</p>
    case 'cut':
      return <p className="text-sm text-caution">{ask.cutDifference}</p>
  }
}

type ShortProps = {
  entries: readonly (readonly [string, number | boolean])[]
  words: ReturnType<typeof useArgumentWords>
}

/** Numbers and switches in one line. */
function ShortArguments({ entries, words }: ShortProps) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {entries.map(([name, value]) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="exact text-faint">{visibleText(words.nameOf(name))}</dt>
          <dd className="exact">{words.valueOf(name, value)}</dd>
        </div>
      ))}
    </dl>
  )
}
