import type { ModelInfo, ModelRef } from '../domain/model/model.ts'
import type { Models } from '../ports/models.ts'

/** A window below which none is assumed, however small a refused request was. */
const LEAST_ASSUMED = 4_096
/** Share of a refused request that is assumed to fit, where the refusal names no limit. */
const ASSUMED_SHARE = 0.8
/** Share of a refused request that fitted by its estimate that is sent from then on, and the least share of its window. */
const NEXT_SHARE = 0.9
const LEAST_SHARE = 0.5
/** Windows are multiples of so many tokens, by and large. */
const STEP = 1_024

/** Share of what was sent below which a count shows that the rest was cut off, and the least count that does. */
const CUT_BELOW = 0.7
const LEAST_CUT = 2_800
/** How much more a cut request may count than the one before it. */
const GROWTH = 1.05

type ModelId = Pick<ModelRef, 'providerId' | 'modelId'>

/** Windows of models as their providers' answers show them, for as long as the host runs. */
export type LearnedWindows = {
  /** The model's limits with a window that was learned, where that is smaller or the only one. */
  applyTo(info: ModelInfo): ModelInfo
  /** A request of about `tokens` was refused; `limit` is the window that the refusal names. */
  refused(info: ModelInfo, tokens: number, limit: number | null): void
  /**
   * A request of about so many tokens was refused, though it fits the window that is known: its server counts more than is estimated
   * here. Less is used of that window from then on, at least half of it.
   */
  countsMore(info: ModelInfo, sent: number): void
  /**
   * A provider has counted `counted` tokens of a request of about `sent`. Where that is twice in a row far less, as much as a small
   * window holds, and no more than before, the rest was cut off: the window is about what was counted.
   */
  counted(info: ModelInfo, counted: number, sent: () => number): void
}

export function createLearnedWindows(): LearnedWindows {
  const limits = new Map<string, number>()
  /** The windows without what their servers count more. */
  const whole = new Map<string, number>()
  /** What was counted of the last request, of models whose server may have cut it. */
  const suspected = new Map<string, number>()
  const keyOf = ({ providerId, modelId }: ModelId) => `${providerId}\n${modelId}`

  function learn(info: ModelInfo, limit: number): void {
    const key = keyOf(info)
    limits.set(key, Math.min(limit, limits.get(key) ?? Number.POSITIVE_INFINITY))
  }

  return {
    applyTo(info) {
      const learned = limits.get(keyOf(info))
      if (learned === undefined || learned >= (info.contextLimit ?? Number.POSITIVE_INFINITY)) return info
      return { ...info, contextLimit: learned }
    },
    refused(info, tokens, limit) {
      if (limit !== null) learn(info, limit)
      else if (info.contextLimit === null)
        learn(info, Math.max(LEAST_ASSUMED, Math.floor(ASSUMED_SHARE * tokens)))
    },
    countsMore(info, sent) {
      const { contextLimit } = info
      if (contextLimit === null) return
      const known = whole.get(keyOf(info)) ?? contextLimit
      whole.set(keyOf(info), known)
      learn(info, Math.floor(Math.max(LEAST_SHARE * known, NEXT_SHARE * Math.min(contextLimit, sent))))
    },
    counted(info, counted, sent) {
      if (info.contextLimit !== null) return
      const key = keyOf(info)
      const before = suspected.get(key)
      suspected.delete(key)
      if (counted < LEAST_CUT || counted >= CUT_BELOW * sent()) return
      if (before === undefined || counted > GROWTH * before) suspected.set(key, counted)
      else learn(info, Math.max(LEAST_ASSUMED, Math.ceil(counted / STEP) * STEP))
    },
  }
}

/** The models with what is learned about their windows. */
export function withLearnedWindows(models: Models, learned: LearnedWindows): Models {
  return {
    ...models,
    list: async () => (await models.list()).map(learned.applyTo),
    async find(ref) {
      const info = await models.find(ref)
      return info && learned.applyTo(info)
    },
    async open(ref) {
      const open = await models.open(ref)
      return { ...open, info: learned.applyTo(open.info) }
    },
  }
}
