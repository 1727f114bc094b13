/** A language of the page, as a BCP 47 tag. */
export type Language = 'en' | 'de'

export const LANGUAGE_CHOICES = ['system', 'en', 'de'] as const
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number]

export function readLanguageChoice(value: string | undefined): LanguageChoice {
  return LANGUAGE_CHOICES.find((choice) => choice === value) ?? 'system'
}

/** The choice that the page is shown with. */
export function currentLanguageChoice(): LanguageChoice {
  return readLanguageChoice(document.documentElement.dataset['language'])
}

/** The language of a choice; `system` is the first of the person's languages that the page has, or English. */
export function languageOf(choice: LanguageChoice, preferred: readonly string[]): Language {
  if (choice !== 'system') return choice
  const known = preferred.map((tag) => tag.split('-', 1)[0]?.toLowerCase())
  return known.find((tag): tag is Language => tag === 'en' || tag === 'de') ?? 'en'
}

/** The languages of an `Accept-Language` header, the preferred one first. */
export function acceptedLanguages(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((entry, place) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return { tag, place, weight: weight === undefined ? 1 : Number(weight) || 0 }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.place - b.place)
    .map(({ tag }) => tag)
}
