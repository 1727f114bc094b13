/** The catalogues of the pages, by where they are used. */
export type Catalogue =
  | 'page'
  | 'history'
  | 'settings'
  | 'agent'
  | 'sources'
  | 'memories'
  | 'inspect'
  | 'attention'
export type Translations = Readonly<Partial<Record<Catalogue, unknown>>>

let current: Translations = {}

/** Sets the language of every text that is read from now on; English where it has none. Only a browser calls this. */
export function setTranslations(translations: Translations): void {
  current = translations
}

/** The texts in the language that is set at the time when they are read. */
export function inLanguage<T extends object>(catalogue: Catalogue, english: T): T {
  return view(english, () => current[catalogue])
}

function view<T extends object>(english: T, translated: () => unknown): T {
  const inner = new Map<PropertyKey, object>()
  return new Proxy(english, {
    get(target, key) {
      const own: unknown = Reflect.get(target, key)
      if (typeof own !== 'object' || own === null) {
        const text = field(translated(), key)
        return typeof text === typeof own ? text : own
      }
      const known = inner.get(key) ?? view(own, () => field(translated(), key))
      inner.set(key, known)
      return known
    },
  })
}

function field(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined
}
