import type { Session } from '../../domain/session/session.ts'
import type { FileChoices, FileFate, NewFileChange } from '../../domain/workspace/file-journal.ts'
import type { Clock, FoundFile, Snapshots } from '../../ports/index.ts'
import { rowBase } from './journal-rows.ts'
import { besideName, type DecidedFile, decideFile, type WantedFile } from './plan-files.ts'

/** What an operation is going to do with files: rows that are stored with it, and what a person is shown. */
export type FilePlan = { root: string; rows: NewFileChange[]; fates: FileFate[] }

/** Files that are looked at together. */
const LOOKED_AT_ONCE = 32

type Ports = { snapshots: Snapshots; clock: Clock }

/** Decides about each file, as it is now; what is there is kept by that. */
export async function planRestore(
  { session, root }: { session: Session; root: string },
  wanted: readonly WantedFile[],
  { id: operationId, choices = [] }: { id: string; choices: FileChoices | undefined },
  { snapshots, clock }: Ports,
): Promise<FilePlan> {
  const chosen = new Map(choices.map(({ path, choice }) => [path, choice]))
  const base = {
    ...rowBase(session.id, root, clock),
    author: 'operation' as const,
    operationId,
    reason: null,
  }
  const plan: FilePlan = { root, rows: [], fates: [] }
  for (let start = 0; start < wanted.length; start += LOOKED_AT_ONCE) {
    const some = wanted.slice(start, start + LOOKED_AT_ONCE)
    const found = await Promise.all(some.map(({ path }) => snapshots.look(root, path)))
    for (const [at, file] of some.entries()) {
      const decided = await named(
        root,
        decideFile(file, found[at] ?? UNREACHED, chosen.get(file.path)),
        snapshots,
      )
      if (decided.type === 'leave') continue
      plan.fates.push(decided.fate)
      plan.rows.push(...rowsFor(file, decided).map((row) => ({ ...base, ...row })))
    }
  }
  return plan
}

const UNREACHED: FoundFile = { type: 'blocked', reason: 'unreadable' }

/** The rows of a decision. */
function rowsFor(
  { path, target: after }: WantedFile,
  decided: Exclude<DecidedFile, { type: 'leave' }>,
): Pick<NewFileChange, 'path' | 'before' | 'after' | 'status'>[] {
  switch (decided.type) {
    case 'restore':
      return [{ path, before: decided.from, after, status: 'pending' }]
    case 'keep': {
      const status = decided.fate.fate === 'conflict' ? 'conflict' : 'settled'
      return [{ path, before: decided.found, after, status }]
    }
    case 'beside':
      return [
        { path, before: decided.found, after, status: 'settled' },
        { path: decided.copy, before: null, after, status: 'pending' },
      ]
    case 'not-kept':
      return []
  }
}

/** The decision with a name for the version beside that no file has. */
async function named(root: string, decided: DecidedFile, snapshots: Snapshots): Promise<DecidedFile> {
  if (decided.type !== 'beside') return decided
  const { path } = decided.fate
  for (let number = 0; ; number++) {
    const copy = besideName(path, number)
    const found = await snapshots.look(root, copy)
    if (found.type === 'file' && found.state === null)
      return { ...decided, copy, fate: { path, fate: 'beside', copy } }
  }
}
