/** A count with its noun, in the number and the digits of a locale. */
export type Plural = (count: number, one: string, many: string) => string

export function createPlural(locale: string): Plural {
  const rules = new Intl.PluralRules(locale)
  const digits = new Intl.NumberFormat(locale)
  return (count, one, many) => `${digits.format(count)} ${rules.select(count) === 'one' ? one : many}`
}

/** A count with its noun, in English. */
export const plural = createPlural('en')

const english = new Intl.PluralRules('en')

/** Whether a count is singular in English. */
export const isOne = (count: number) => english.select(count) === 'one'
