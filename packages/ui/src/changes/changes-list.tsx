import { FILE_CHOICES, type FileChange, type FileChoice, type NotKeptReason } from '@palimpsest/core/domain'
import { ChevronRight, FileDiff, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { diffHunks } from '../diff/diff-hunks.ts'
import { HunkLines } from '../diff/diff-view.tsx'
import { visibleText } from '../exact/visible-text.ts'
import type { ChangesWords } from '../messages/en-changes.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { ExactPath } from './file-fates.tsx'

/** A file that a chat, or its last turn, has changed: from before the first change until after the last one. */
export type ChangedFileView = {
  path: string
  change: 'created' | 'changed' | 'deleted' | 'unchanged'
  /** Null for what is no text. */
  lines: { added: number; removed: number } | null
  now: 'as-left' | 'changed-since' | 'gone'
}

export type ChangesScope = 'chat' | 'turn'

export type ChangesListProps = {
  words: ChangesWords
  /** Null until they are read. */
  files: readonly ChangedFileView[] | null
  coverage: 'all' | 'write-and-edit' | 'none'
  notKept: readonly { path: string; reason: NotKeptReason }[]
  /** Files that an operation left as they were, about which nobody has decided. */
  conflicts: readonly { operationId: string; path: string }[]
  /** Files that an operation has not restored yet. */
  pending: { paths: readonly string[] } | null
  scope: ChangesScope
  onScope: (scope: ChangesScope) => void
  /** True while a run works, which no operation may interrupt. */
  disabled: boolean
  /** The file that is opened from elsewhere, as from the line of a call. */
  opened: string | null
  /** The difference of a file that is open: `FileParts`. */
  diffOf: (path: string) => ReactNode
  /** Takes back these files, or all of the scope. */
  onRevert: (paths: string[] | null) => void
  onResolve: (operationId: string, path: string, choice: FileChoice) => void
  onSettle: (leave: boolean) => void
  onCopyPatch: () => void
}

/** The files that a chat has changed: what was not kept or is not decided first, then each file with its difference. */
export function ChangesList(props: ChangesListProps) {
  const { words, files, coverage, pending, conflicts, notKept, disabled } = props
  const { onRevert, onCopyPatch } = props
  const isEmpty = files?.length === 0
  return (
    <>
      <div className="min-h-0 grow space-y-4 overflow-y-auto p-4">
        <ScopeChoice {...props} />
        {coverage !== 'all' && <Note>{coverage === 'none' ? words.nothingKept : words.onlyTools}</Note>}
        {pending !== null && <Pending {...props} paths={pending.paths} />}
        {conflicts.length > 0 && <Conflicts {...props} />}
        {files === null && <p className="shine text-sm">{words.loading}</p>}
        {isEmpty && <Empty words={words} />}
        <ul aria-label={words.list} className="space-y-1">
          {inOrder(files ?? []).map((file) => (
            <ChangedFileRow key={file.path} file={file} {...props} />
          ))}
        </ul>
        {notKept.length > 0 && (
          <section aria-label={words.notKept}>
            <h3 className="pb-1 text-sm font-medium">{words.notKept}</h3>
            <ul className="space-y-0.5 text-xs text-muted">
              {notKept.map(({ path, reason }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: one path may be named several times
                <li key={at} className="wrap-anywhere">
                  <span className="exact font-code">
                    <ExactPath path={path} />
                  </span>{' '}
                  {words.reasons[reason]}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {files !== null && files.length > 0 && (
        <div className="flex shrink-0 flex-wrap gap-2 border-line border-t p-3">
          <Button small disabled={disabled} onClick={() => onRevert(null)}>
            {words.takeBackAll}
          </Button>
          <Button small variant="quiet" onClick={onCopyPatch}>
            {words.copyPatch}
          </Button>
        </div>
      )}
    </>
  )
}

/** What is as it was before comes last. */
function inOrder(files: readonly ChangedFileView[]): ChangedFileView[] {
  return files.toSorted((a, b) => Number(a.change === 'unchanged') - Number(b.change === 'unchanged'))
}

function ScopeChoice({ words, scope, onScope }: Pick<ChangesListProps, 'words' | 'scope' | 'onScope'>) {
  return (
    <fieldset className="flex gap-0.5 rounded-md bg-wash p-0.5 text-sm">
      <legend className="sr-only">{words.scope}</legend>
      {(['chat', 'turn'] as const).map((one) => (
        <label
          key={one}
          className="grow cursor-pointer rounded-sm px-2 py-1 text-center text-muted transition has-checked:bg-segment has-checked:text-ink has-checked:shadow-raised has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:py-2.5"
        >
          <input
            type="radio"
            name="changes-scope"
            className="sr-only"
            checked={scope === one}
            onChange={() => onScope(one)}
          />
          {words.scopes[one]}
        </label>
      ))}
    </fieldset>
  )
}

function Empty({ words }: Pick<ChangesListProps, 'words'>) {
  return (
    <div className="flex flex-col items-center gap-1.5 px-4 py-10 text-center">
      <FileDiff aria-hidden size={22} className="text-ghost" />
      <p className="font-medium">{words.empty}</p>
      <p className="text-sm text-muted">{words.emptyHint}</p>
    </div>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p className="flex gap-2 text-sm text-muted">
      <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-caution" />
      <span>{children}</span>
    </p>
  )
}

function Pending({ words, paths, disabled, onSettle }: { paths: readonly string[] } & ChangesListProps) {
  return (
    <section className="space-y-2 rounded-lg bg-danger-wash p-3 text-sm">
      <p className="font-medium">{words.pending(paths.length)}</p>
      <p className="text-muted">{words.pendingHint}</p>
      <p className="flex flex-wrap gap-2">
        <Button small disabled={disabled} onClick={() => onSettle(false)}>
          {words.retry}
        </Button>
        <Button small variant="quiet" disabled={disabled} onClick={() => onSettle(true)}>
          {words.leave}
        </Button>
      </p>
    </section>
  )
}

function Conflicts({ words, conflicts, disabled, onResolve }: ChangesListProps) {
  return (
    <section className="space-y-2 rounded-lg border border-rubric p-3 text-sm">
      <h3 className="font-medium">{words.conflicts(conflicts.length)}</h3>
      <p className="text-muted">{words.conflictsHint}</p>
      <ul className="space-y-2">
        {conflicts.map(({ operationId, path }) => (
          <li key={`${operationId} ${path}`} className="space-y-1">
            <span className="exact block font-code text-xs wrap-anywhere">
              <ExactPath path={path} />
            </span>
            {/* biome-ignore lint/a11y/useSemanticElements: three buttons that act at once are no fieldset of a form */}
            <span
              role="group"
              aria-label={words.choice(visibleText(path))}
              className="flex flex-wrap gap-1.5"
            >
              {FILE_CHOICES.map((choice) => (
                <Button
                  key={choice}
                  small
                  disabled={disabled}
                  onClick={() => onResolve(operationId, path, choice)}
                >
                  {words.choices[choice]}
                </Button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ChangedFileRow({
  words,
  file,
  opened,
  disabled,
  diffOf,
  onRevert,
}: { file: ChangedFileView } & ChangesListProps) {
  const { path, change, lines, now } = file
  const [pressed, setPressed] = useState<boolean | null>(null)
  const open = pressed ?? opened === path
  const shown = visibleText(path)
  return (
    <li className="rounded-md border border-line">
      <div className="flex items-center gap-1 pr-1.5">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setPressed(!open)}
          className="flex min-w-0 grow items-center gap-1.5 rounded-md px-2 py-1.5 text-left text-xs transition hover:bg-wash coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden
            size={14}
            className={cx('shrink-0 text-faint transition', open && 'rotate-90')}
          />
          <span className="exact min-w-0 grow font-code wrap-anywhere">
            <ExactPath path={path} />
          </span>
          {change !== 'changed' && <span className="shrink-0 text-muted">{words.kinds[change]}</span>}
          {lines !== null && change !== 'unchanged' && (
            <span className="shrink-0 tabular-nums">
              <span className="sr-only">{words.lines(lines.added, lines.removed)}</span>
              <span aria-hidden className="text-good">
                +{lines.added}
              </span>{' '}
              <span aria-hidden className="text-danger">
                −{lines.removed}
              </span>
            </span>
          )}
        </button>
        {change !== 'unchanged' && (
          <Button
            small
            variant="quiet"
            disabled={disabled}
            aria-label={`${words.takeBack}: ${shown}`}
            onClick={() => onRevert([path])}
          >
            {words.takeBack}
          </Button>
        )}
      </div>
      {now !== 'as-left' && <p className="px-7.5 pb-1.5 text-xs text-caution">{words.since[now]}</p>}
      {open && <div className="border-line border-t">{diffOf(path)}</div>}
    </li>
  )
}

export type FilePartsProps = {
  words: ChangesWords
  /** Undefined until it is read; null for what is no text. */
  change: FileChange | null | undefined
  disabled: boolean
  onRevertPart: (hunk: number) => void
}

/** The difference of one file in its parts, each of which can be taken back. */
export function FileParts({ words, change, disabled, onRevertPart }: FilePartsProps) {
  const { diff } = useMessages()
  if (change === undefined) return <div aria-hidden className="h-24 bg-inset" />
  if (change === null) return <p className="px-3 py-2 text-sm text-muted">{words.noText}</p>
  const hunks = diffHunks(change.diff)
  return (
    <>
      {hunks.map((hunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is named by its place
        <section key={at} aria-label={words.part(at + 1, hunks.length)}>
          <HunkLines hunk={hunk} />
          {hunks.length > 1 && !change.truncated && (
            <div className="flex justify-end border-line border-b px-1.5 py-0.5 last:border-b-0">
              <Button small variant="quiet" disabled={disabled} onClick={() => onRevertPart(at)}>
                {words.takeBackPart}
              </Button>
            </div>
          )}
        </section>
      ))}
      {change.truncated && <p className="px-3 py-1.5 text-xs text-muted">{diff.truncated}</p>}
    </>
  )
}
