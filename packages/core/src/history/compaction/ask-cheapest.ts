import { type ModelRef, sameModel } from '../../domain/model.ts'
import type { Models } from '../../ports/index.ts'

/** What the cheapest model beside `ref` answers; `ref` itself is asked where that one turns out to be unusable. */
export async function askCheapest<T>(
  ref: ModelRef,
  models: Models,
  ask: (model: ModelRef) => Promise<T>,
  isUnusable: (answer: T) => boolean,
): Promise<T> {
  const { variant: _, ...own } = ref
  const cheap = await models.cheapSibling(own)
  const answer = await ask(cheap)
  return isUnusable(answer) && !sameModel(cheap, own) ? await ask(own) : answer
}
