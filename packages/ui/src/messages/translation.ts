/**
 * A catalogue in another language: texts and functions of texts under the same keys. What is missing stays English, so
 * that a new English text breaks nothing; a test lists what is missing.
 */
export type Translation<T> = T extends string
  ? string
  : T extends (...input: infer I) => string
    ? (...input: I) => string
    : { readonly [K in keyof T]?: Translation<T[K]> }

/** The catalogue whole: its own texts, and the English ones where it has none. */
export function complete<T>(english: T, translation: Translation<T> | undefined): T {
  if (!isRecord(english)) return isText(translation) ? (translation as T) : english
  const own: Record<string, unknown> = isRecord(translation) ? translation : {}
  // Each key of the result has a text of the same kind as in English.
  return Object.fromEntries(
    Object.entries(english).map(([key, value]) => [
      key,
      complete(value, own[key] as Translation<typeof value>),
    ]),
  ) as T
}

/** The keys of texts that a translation lacks, or has as another kind, such as `history.tray.label`. */
export function missingKeys(english: unknown, translation: unknown, path: readonly string[] = []): string[] {
  if (!isRecord(english)) return typeof translation === typeof english ? [] : [path.join('.')]
  const own = isRecord(translation) ? translation : {}
  return Object.entries(english).flatMap(([key, value]) => missingKeys(value, own[key], [...path, key]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'function'
}
