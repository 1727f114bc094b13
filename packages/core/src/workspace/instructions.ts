import type { WorkspaceFiles } from '../ports/index.ts'
import { readText, type SourceWarning } from './read-text.ts'
import { type Place, pathIn } from './source-folders.ts'

/** Files of instructions, in the order in which those of one folder are read. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', 'CONTEXT.md']

/** Tokens of all instructions of files together, and the bytes of UTF-8 that one is counted with. */
const INSTRUCTION_TOKENS = 8_000
const BYTES_PER_TOKEN = 4

/** The text of one file as the prompt has it. `path` is relative to the workspace. */
export type InstructionFile = { path: string; source: 'user' | 'project'; text: string }

export type Instructions = {
  /** Outermost first, nearest last; the person's own file before all. */
  files: readonly InstructionFile[]
  /** Paths of files that are not read whole, because all together are too long. */
  cut: readonly string[]
  warnings: readonly SourceWarning[]
}

/**
 * Reads the files of instructions in these folders, outermost first, and the person's own in `own`. All together have 8,000 tokens
 * at most: the person's own file comes first, then the nearest ones; the one that no longer fits is cut, and the others are left out.
 */
export async function readInstructions(
  files: Pick<WorkspaceFiles, 'exists' | 'read'>,
  { own, levels }: { own: string | null; levels: readonly Place[] },
): Promise<Instructions> {
  const ownFile = own === null ? [] : [{ root: own, path: 'AGENTS.md' }]
  const inLevels = levels.flatMap((level, index) =>
    NAMES.map((name) => ({
      root: level.root,
      path: pathIn(level.path, name),
      shown: `${'../'.repeat(levels.length - 1 - index)}${name}`,
    })),
  )
  const [user, project] = await Promise.all([
    Promise.all(ownFile.map((place) => readOne(files, place, { path: 'AGENTS.md', source: 'user' }))),
    Promise.all(inLevels.map((place) => readOne(files, place, { path: place.shown, source: 'project' }))),
  ])
  const found = [...user, ...withoutCopies(project)]
  const read = found.flatMap(({ file }) => (file === null ? [] : [file]))
  const { kept, cut } = withinTokens(read, INSTRUCTION_TOKENS)
  return {
    files: kept,
    cut: cut.map(({ path }) => path),
    warnings: [
      ...found.flatMap(({ warning }) => (warning === null ? [] : [warning])),
      ...cut.map(({ path }) => ({
        path,
        text: `Instructions have at most ${INSTRUCTION_TOKENS} tokens together: this file is not read whole.`,
      })),
    ],
  }
}

type Found = { file: InstructionFile | null; warning: SourceWarning | null }

async function readOne(
  files: Pick<WorkspaceFiles, 'exists' | 'read'>,
  place: Place,
  { path, source }: Omit<InstructionFile, 'text'>,
): Promise<Found> {
  if (!(await files.exists(place.root, place.path))) return { file: null, warning: null }
  const read = await readText(files, place)
  if (read.type === 'refused') return { file: null, warning: { path, text: read.why } }
  const text = read.type === 'text' ? read.text.trim() : ''
  return { file: text === '' ? null : { path, source, text }, warning: null }
}

/** Of files with the same text in one project, such as a link from `CLAUDE.md` to `AGENTS.md`, only the first. */
function withoutCopies(found: readonly Found[]): Found[] {
  const texts = new Set<string>()
  return found.filter(({ file }) => {
    if (file === null) return true
    const isNew = !texts.has(file.text)
    texts.add(file.text)
    return isNew
  })
}

/** These files in so many tokens: the person's own first, then the nearest ones; and those that are not whole. */
export function withinTokens(
  files: readonly InstructionFile[],
  tokens: number,
): { kept: InstructionFile[]; cut: InstructionFile[] } {
  const byNeed = [
    ...files.filter(({ source }) => source === 'user'),
    ...files.filter(({ source }) => source === 'project').toReversed(),
  ]
  let left = tokens * BYTES_PER_TOKEN
  const texts = new Map<InstructionFile, string>()
  for (const file of byNeed) {
    const bytes = new TextEncoder().encode(file.text)
    // A character that is cut in two is left out.
    const text =
      bytes.length <= left
        ? file.text
        : new TextDecoder().decode(bytes.subarray(0, left), { stream: true }).trimEnd()
    texts.set(file, text)
    left = Math.max(0, left - bytes.length)
  }
  return {
    kept: files.flatMap((file) => {
      const text = texts.get(file) ?? ''
      return text === '' ? [] : [{ ...file, text }]
    }),
    cut: files.filter((file) => texts.get(file) !== file.text),
  }
}
