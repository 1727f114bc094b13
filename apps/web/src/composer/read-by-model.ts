import { inputKind, type ModelInfo } from '@palimpsest/core/domain'

type Typed = { mediaType: string }

/** The files that a model can't read: it gets their names only. */
export function unreadBy<T extends Typed>({ inputs }: Pick<ModelInfo, 'inputs'>, files: readonly T[]): T[] {
  return files.filter(({ mediaType }) => {
    const kind = inputKind(mediaType)
    return kind === null || !inputs.includes(kind)
  })
}

/** The first model that reads all of these files that any model reads; null when none reads more than text. */
export function modelFor(files: readonly Typed[], models: readonly ModelInfo[]): ModelInfo | null {
  const readable = files.filter((file) => models.some((model) => unreadBy(model, [file]).length === 0))
  const needed = unreadBy({ inputs: ['text'] }, readable)
  if (needed.length === 0) return null
  return models.find((model) => unreadBy(model, readable).length === 0) ?? null
}
