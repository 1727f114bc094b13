import type { WorkspaceFiles } from '../ports/index.ts'
import { readFrontMatter, textOf } from './front-matter.ts'
import { findFolders, newScanBudget, type ScanBudget } from './list-tree.ts'
import { readText, type SourceWarning } from './read-text.ts'
import { type Place, pathIn } from './source-folders.ts'

/** Where a skill, an agent or a command comes from. */
export type SourceKind = 'project' | 'user' | 'bundled' | 'configured'

/** A folder that is searched, under the name shown to a person. */
export type SourceFolder = Place & { source: SourceKind; shown: string }

export type Skill = {
  name: string
  description: string
  source: SourceKind
  /** Its file, and the path of that file for a person. */
  place: Place
  path: string
}

export type SkillList = { skills: readonly Skill[]; warnings: readonly SourceWarning[] }

const FILE = 'SKILL.md'

const SKILL_NAME = /^[a-z0-9-]{1,64}$/
const MAX_DESCRIPTION = 1_024
const MAX_COMPATIBILITY = 500

/** Finds skills in these folders. Of several with one name the first counts, in the order of the folders. */
export async function findSkills(
  files: Pick<WorkspaceFiles, 'list' | 'read'>,
  folders: readonly SourceFolder[],
  bundled: BundledSkills,
): Promise<SkillList> {
  const warnings: SourceWarning[] = []
  const budget = newScanBudget()
  const skills = new Map<string, Skill>()
  for (const folder of folders) {
    const found = folder.source === 'bundled' ? await bundled() : await skillsIn(files, folder, budget)
    warnings.push(...found.warnings)
    for (const skill of found.skills) {
      const first = skills.get(skill.name)
      if (first === undefined) skills.set(skill.name, skill)
      else
        warnings.push({
          path: skill.path,
          text: `Another skill is named ${skill.name}: ${first.path} is used.`,
        })
    }
  }
  return { skills: withinIndex([...skills.values()], warnings), warnings }
}

/** All skills of a folder, those with one name too. */
async function skillsIn(
  files: Pick<WorkspaceFiles, 'list' | 'read'>,
  folder: SourceFolder,
  budget: ScanBudget,
): Promise<SkillList> {
  const raw: SourceWarning[] = []
  const found = await findFolders(files, folder, FILE, { budget, warnings: raw })
  const warnings = raw.map(({ path, text }) => ({ path: shownPath(folder, path), text }))
  const skills: Skill[] = []
  for (const path of found) {
    const skill = await readSkill(files, folder, path, warnings)
    if (skill !== null) skills.push(skill)
  }
  return { skills, warnings }
}

/** The skills that come with the product. */
export type BundledSkills = () => Promise<SkillList>

/** Reads the skills in `root` once: they do not change while the product is on. */
export function createBundledSkills(
  files: Pick<WorkspaceFiles, 'list' | 'read'>,
  root: string | null,
): BundledSkills {
  let known: Promise<SkillList> | null = null
  return async () => {
    if (root === null) return { skills: [], warnings: [] }
    known ??= skillsIn(files, bundledFolder(root), newScanBudget())
    return await known.catch((error: unknown) => {
      known = null
      throw error
    })
  }
}

export function bundledFolder(root: string): SourceFolder {
  return { root, path: '.', source: 'bundled', shown: 'bundled skills' }
}

/** Bytes of all names and descriptions together, which are in every prompt: about 4,000 tokens. */
const INDEX_BYTES = 16_000

function withinIndex(skills: readonly Skill[], warnings: SourceWarning[]): Skill[] {
  let left = INDEX_BYTES
  return skills.filter(({ name, description, path }) => {
    const bytes = new TextEncoder().encode(`${name}${description}`).length
    const fits = bytes <= left
    if (fits) left -= bytes
    else
      warnings.push({
        path,
        text: `Descriptions have at most ${INDEX_BYTES} bytes together: it is left out.`,
      })
    return fits
  })
}

async function readSkill(
  files: Pick<WorkspaceFiles, 'read'>,
  folder: SourceFolder,
  inFolder: string,
  warnings: SourceWarning[],
): Promise<Skill | null> {
  const place = { root: folder.root, path: pathIn(inFolder, FILE) }
  const path = shownPath(folder, place.path)
  const warn = (text: string) => void warnings.push({ path, text })
  const read = await readText(files, place)
  if (read.type !== 'text') {
    warn(read.type === 'refused' ? read.why : 'It could not be read.')
    return null
  }
  const { keys, warnings: problems } = readFrontMatter(read.text)
  for (const problem of problems) warn(problem)
  const description = textOf(keys, 'description')
  if (description === null) {
    warn('It has no description and is left out.')
    return null
  }
  const name = nameOf(textOf(keys, 'name'), inFolder, warn)
  if (name === null) return null
  if (description.length > MAX_DESCRIPTION) warn(`Its description is cut to ${MAX_DESCRIPTION} characters.`)
  if ((textOf(keys, 'compatibility')?.length ?? 0) > MAX_COMPATIBILITY)
    warn(`Its compatibility has over ${MAX_COMPATIBILITY} characters.`)
  if (keys.has('allowed-tools')) warn('Its allowed-tools give no permission.')
  const { source } = folder
  return { name, description: cut(description), source, place, path }
}

/** The name of the front matter, or of the folder where that cannot be used. */
function nameOf(given: string | null, inFolder: string, warn: (text: string) => void): string | null {
  const folderName = inFolder.split('/').at(-1) ?? ''
  if (given !== null && SKILL_NAME.test(given)) {
    if (given !== folderName) warn(`It is named ${given}, unlike its folder.`)
    return given
  }
  if (SKILL_NAME.test(folderName)) {
    warn(
      given === null ? 'It has no name: its folder’s is used.' : 'Its name cannot be used: its folder’s is.',
    )
    return folderName
  }
  warn('Its name needs 1 to 64 characters of a-z, 0-9 and - and it is left out.')
  return null
}

function cut(text: string): string {
  return text.length <= MAX_DESCRIPTION ? text : text.slice(0, MAX_DESCRIPTION).toWellFormed()
}

function shownPath({ path: folder, shown }: SourceFolder, path: string): string {
  if (path === folder) return shown
  const inside = folder === '.' ? path : path.slice(folder.length + 1)
  return `${shown}/${inside}`
}
