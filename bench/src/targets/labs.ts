import { type Lab, openLab } from './lab.ts'

export type Labs = AsyncDisposable & {
  /** A lab to use and dispose of. */
  openLab(options?: { withOthers?: boolean }): Promise<Lab>
}

/** A lab of its own for each benchmark, so that none meets what another has left in a server; or one for all, which takes less time. */
export function createLabs({ oneLab, former }: { oneLab: boolean; former: string | null }): Labs {
  let shared: Promise<Lab> | null = null
  return {
    async openLab(options) {
      if (!oneLab) return await openLab({ ...options, former })
      shared ??= openLab({ withOthers: true, former })
      return { ...(await shared), [Symbol.asyncDispose]: () => Promise.resolve() }
    },
    async [Symbol.asyncDispose]() {
      await (await shared)?.[Symbol.asyncDispose]()
    },
  }
}
