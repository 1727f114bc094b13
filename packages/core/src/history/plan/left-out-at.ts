import type { HistoryDetail } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'

type Marks = Required<Pick<HistoryDetail, 'leftOut' | 'broughtBack'>>

/**
 * What makes each message left out, or not, as it was before the operation at an index: the first operation on it since decides, unless
 * the last one has led back to that.
 */
export function leftOutSince({ operations }: Pick<Outline, 'operations'>, index: number): Partial<Marks> {
  const since = operations.slice(index)
  const was = new Map<string, boolean>()
  const is = new Map<string, boolean>()
  for (const { detail } of since) {
    for (const [ids, left] of [
      [detail.leftOut ?? [], true],
      [detail.broughtBack ?? [], false],
    ] as const) {
      for (const id of ids) {
        if (!was.has(id)) was.set(id, !left)
        is.set(id, left)
      }
    }
  }
  const changed = [...was.keys()].filter((id) => was.get(id) !== is.get(id))
  const leftOut = changed.filter((id) => was.get(id) === true)
  const broughtBack = changed.filter((id) => was.get(id) === false)
  return { ...(leftOut.length > 0 && { leftOut }), ...(broughtBack.length > 0 && { broughtBack }) }
}
