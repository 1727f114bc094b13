import { Button, NotFound, SidebarOpener } from '@palimpsest/ui'
import { ArrowLeft, Download, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { exportSession } from '../list/carry-session.ts'
import { describeFailure } from '../state/describe-failure.ts'
import { useApp } from '../stores/app-context.tsx'
import { useDocumentTitle } from '../stores/use-document-title.ts'
import { inspectWords as words } from '../words/en-inspect.ts'
import { DecisionsView } from './decisions-view.tsx'
import { RowsView } from './rows-view.tsx'
import { StepsView } from './steps-view.tsx'
import { TokensView } from './tokens-view.tsx'
import { useInspectedSession, useReadAgain } from './use-inspection.ts'

export type InspectPageProps = { sessionId: string }

const VIEWS = { steps: StepsView, decisions: DecisionsView, tokens: TokensView, rows: RowsView }

type View = keyof typeof VIEWS

const NAMES = ['steps', 'decisions', 'tokens', 'rows'] as const satisfies View[]

/** What is stored of a chat: steps, prompts and tools, decisions, tokens, rows. */
export function InspectPage({ sessionId }: InspectPageProps) {
  const { router } = useApp()
  const [view, setView] = useState<View>('steps')
  const { data, error } = useInspectedSession(sessionId)
  const readAgain = useReadAgain(sessionId)
  const title = words.title(data?.title ?? words.thisChat)
  useDocumentTitle(title)
  if (error !== null && describeFailure(error).code === 'SESSION_NOT_FOUND') return <NotFound homeHref="/" />
  const View = VIEWS[view]
  return (
    <>
      <header className="flex h-header shrink-0 items-center gap-1 px-3">
        <SidebarOpener />
        <Button variant="quiet" onClick={() => router.push({ sessionId, anchor: null })}>
          <ArrowLeft aria-hidden size={16} />
          <span className="max-md:sr-only">{words.back}</span>
        </Button>
        <h1 dir="auto" className="min-w-0 grow truncate px-1 font-medium">
          {title}
        </h1>
        <Button variant="quiet" onClick={readAgain}>
          <RotateCw aria-hidden size={16} />
          <span className="max-md:sr-only">{words.refresh}</span>
        </Button>
        <Button variant="quiet" onClick={() => exportSession(sessionId, data?.title ?? words.thisChat)}>
          <Download aria-hidden size={16} />
          <span className="max-md:sr-only">{words.export}</span>
        </Button>
      </header>
      <div className="min-h-0 grow overflow-y-auto px-3 pb-16 md:px-5">
        <nav aria-label={title} className="sticky top-0 z-10 flex gap-0.5 overflow-x-auto bg-paper py-1">
          {NAMES.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === view}
              onClick={() => setView(name)}
              className="h-control shrink-0 rounded-md px-2.5 text-muted transition hover:bg-wash hover:text-ink aria-pressed:bg-wash-strong aria-pressed:text-ink coarse:min-h-11"
            >
              {words.views[name]}
            </button>
          ))}
        </nav>
        <section aria-label={title} className="max-w-compare space-y-4 px-2.5 pt-3">
          <h2 className="sr-only">{words.views[view]}</h2>
          <p className="text-muted">{words.lead[view]}</p>
          <View sessionId={sessionId} />
        </section>
      </div>
    </>
  )
}
