import { type FileChoice, type FileFate, IDLE, type ModelInfo } from '@palimpsest/core/domain'
import {
  FileFates,
  type MessageActions,
  type MessageExtras,
  PreviewBar,
  Thread,
  ThreadSkeleton,
  useFormat,
  useMessages,
} from '@palimpsest/ui'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { isSummary } from '../../session/summary.ts'
import { useRested } from '../../state/use-rested.ts'
import { useApp } from '../../stores/app-context.tsx'
import { changesWords } from '../../words/en-changes.ts'
import { linesOf } from '../actions/prompts.ts'
import { SummaryDivider } from '../thread/summary-divider.tsx'
import type { History } from '../use-history.tsx'
import { useQuestions } from '../use-questions.ts'
import { pointName } from './point-name.ts'
import { useRestorePoints } from './use-restore-points.ts'

/** Milliseconds that a state has to be pointed at before its messages are read. */
const REST_MS = 60

const READ_ONLY: MessageActions = {}
const ignore = () => undefined

export type PreviewPanelProps = { history: History; pointId: string; models: readonly ModelInfo[] }

/** The thread as it was at a restore point, in the place of the thread. It is only read. */
export function PreviewPanel({ history, pointId, models }: PreviewPanelProps) {
  const { state, preview, restore } = history
  const { sessionId } = state
  const words = useMessages().history
  const format = useFormat()
  const { questions } = useQuestions(state, true)
  const lines = useMemo(() => linesOf(state.messages, questions), [state.messages, questions])
  const point = useRestorePoints(state, true).find((one) => one.pointId === pointId)
  const pages = usePreview(sessionId, pointId)
  const messages = pages.data?.pages.toReversed().flatMap((page) => page.items)
  const extras = useMemo<MessageExtras>(
    () => ({
      instead: (message) =>
        isSummary(message) ? (
          <SummaryDivider
            message={message}
            timeline={[]}
            open={false}
            onOpenChange={ignore}
            originals={false}
            onToggleOriginals={ignore}
            onUndo={ignore}
          />
        ) : null,
    }),
    [],
  )
  const tokens = pages.data?.pages[0]?.contextWindow?.used
  const files = useFilesOf(state, pointId)
  const [choices, setChoices] = useState<ReadonlyMap<string, FileChoice>>(new Map())
  const facts = point === undefined ? [] : [words.preview.holds(point.messages)]
  return (
    <div className="past flex min-h-0 grow flex-col">
      <PreviewBar
        name={
          point === undefined
            ? ''
            : words.preview.state(
                pointName(point, lines, words.timeline),
                format.moment(point.at, Date.now()),
              )
        }
        facts={[
          ...facts,
          ...(tokens === undefined ? [] : [words.preview.tokens(format.tokens(tokens))]),
          ...(files === null ? [] : [words.preview.files(files.count)]),
        ]}
        {...(files !== null &&
          files.fates.length > 0 && {
            files: (
              <FileFates
                words={changesWords}
                fates={files.fates}
                choices={choices}
                onChoose={(path, choice) => setChoices(new Map(choices).set(path, choice))}
              />
            ),
          })}
        onRestore={() =>
          restore(
            pointId,
            [...choices].map(([path, choice]) => ({ path, choice })),
          )
        }
        onBack={() => preview(null)}
      />
      {messages === undefined && !pages.isError && <ThreadSkeleton />}
      {pages.isError && <Note text={words.preview.failed} />}
      {messages?.length === 0 && <Note text={words.preview.empty} />}
      {messages !== undefined && messages.length > 0 && (
        <Thread
          key={messages.at(-1)?.id}
          messages={messages}
          status={IDLE}
          unsent
          streamingId={null}
          models={models}
          actions={READ_ONLY}
          extras={extras}
          hasOlder={pages.hasNextPage}
          loadingOlder={pages.isFetchingNextPage}
          onLoadOlder={() => void pages.fetchNextPage()}
        />
      )}
    </div>
  )
}

function Note({ text }: { text: string }) {
  return <p className="grow px-8 py-12 text-center text-muted">{text}</p>
}

/** Milliseconds that a state has to be pointed at before the files are counted that it restores. */
const COUNT_MS = 300

/** What restoring a state does with files; null while they are not counted, and where none are kept. */
function useFilesOf(
  { sessionId, keepsFiles, historyMark }: History['state'],
  pointId: string,
): { count: number; fates: readonly FileFate[] } | null {
  const { client } = useApp()
  const rested = useRested(pointId, COUNT_MS)
  const { data } = useQuery({
    queryKey: ['restore-files', sessionId, rested, historyMark],
    enabled: keepsFiles && rested === pointId,
    gcTime: 0,
    queryFn: () => client().session.restoreTo.mutate({ sessionId, pointId: rested, preview: true }),
  })
  return rested === pointId ? (data?.files ?? null) : null
}

/** The pages of a state, which never changes; while a person scrubs, the last one read stays. */
function usePreview(sessionId: string, pointId: string) {
  const { client } = useApp()
  const rested = useRested(pointId, REST_MS)
  return useInfiniteQuery({
    queryKey: ['preview', sessionId, rested],
    queryFn: ({ pageParam: cursor }) =>
      client().session.preview.query({ sessionId, pointId: rested, ...(cursor !== null && { cursor }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
