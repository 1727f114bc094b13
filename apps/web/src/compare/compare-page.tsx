import { Button, NotFound, SidebarOpener, useMessages } from '@palimpsest/ui'
import { ArrowLeft, ArrowLeftRight } from 'lucide-react'
import { useApp } from '../stores/app-context.tsx'
import type { Compared } from '../stores/route.ts'
import { useDocumentTitle } from '../stores/use-document-title.ts'
import { CompareBoard } from './compare-board.tsx'

export type ComparePageProps = { compared: Compared }

/** Two branches side by side; their ids are in the address. */
export function ComparePage({ compared }: ComparePageProps) {
  const { left, right } = compared
  const { compare } = useMessages().history
  useDocumentTitle(compare.title)
  if (left === '' || right === '' || left === right) return <NotFound homeHref="/" />
  return (
    <>
      <CompareBar {...compared} />
      <CompareBoard key={`${left} ${right}`} left={left} right={right} />
    </>
  )
}

function CompareBar({ left, right }: Compared) {
  const { router } = useApp()
  const { compare } = useMessages().history
  return (
    <header className="flex h-header shrink-0 items-center gap-2 px-3">
      <SidebarOpener />
      <Button variant="quiet" onClick={() => router.push({ sessionId: right, anchor: null })}>
        <ArrowLeft aria-hidden size={16} />
        <span className="max-md:sr-only">{compare.back}</span>
      </Button>
      <h1 className="min-w-0 grow truncate font-medium">{compare.lead}</h1>
      <Button
        variant="quiet"
        onClick={() =>
          router.replace({ sessionId: null, anchor: null, compare: { left: right, right: left } })
        }
      >
        <ArrowLeftRight aria-hidden size={16} />
        <span className="max-md:sr-only">{compare.swap}</span>
      </Button>
    </header>
  )
}
