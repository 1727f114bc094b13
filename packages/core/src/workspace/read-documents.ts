import type { WorkspaceFiles } from '../ports/index.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { listFolder } from './list-tree.ts'
import { readText, type SourceWarning } from './read-text.ts'
import type { SourceFolder, SourceKind } from './skills.ts'
import { pathIn } from './source-folders.ts'

/** Files of one kind that are read at most. */
const MAX_DOCUMENTS = 200

/** A Markdown file with front matter; its name is that of the file. */
export type SourceDocument = FrontMatter & {
  name: string
  source: SourceKind
  /** The folder whose repository holds it. */
  root: string
  path: string
  text: string
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/i

/** Reads the Markdown files of these folders. Of several with one name the first counts, in the order of the folders. */
export async function readDocuments(
  files: Pick<WorkspaceFiles, 'list' | 'read'>,
  folders: readonly SourceFolder[],
  warnings: SourceWarning[],
): Promise<SourceDocument[]> {
  const documents = new Map<string, SourceDocument>()
  for (const folder of folders) {
    const listed = await listFolder(files, folder, warnings)
    for (const file of listed?.files.filter((name) => name.endsWith('.md')) ?? []) {
      const path = `${folder.shown}/${file}`
      const name = file.slice(0, -'.md'.length)
      const first = documents.get(name)
      const why = problemOf(name, first, documents.size)
      const read =
        why === null
          ? await readText(files, { root: folder.root, path: pathIn(folder.path, file) })
          : ({ type: 'refused', why } as const)
      if (read.type === 'refused') warnings.push({ path, text: read.why })
      if (read.type !== 'text') continue
      const { text } = read
      const { source, root } = folder
      documents.set(name, { ...readFrontMatter(text), name, source, root, path, text })
    }
  }
  return [...documents.values()]
}

function problemOf(name: string, first: SourceDocument | undefined, count: number): string | null {
  if (!NAME.test(name)) return 'Its name needs 1 to 64 letters, digits, - and _: it is left out.'
  if (first !== undefined) return `Another file has this name: ${first.path} is used.`
  return count >= MAX_DOCUMENTS ? `Over ${MAX_DOCUMENTS} files: it is left out.` : null
}
