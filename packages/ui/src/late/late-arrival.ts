import type { LateModule } from './late-module.ts'

/** Fetches a late module and resolves once it is there. */
export function lateArrival<M>(module: LateModule<M>): Promise<M> {
  return new Promise((resolve) => {
    const tell = () => {
      const arrived = module.get()
      if (arrived === null) return
      leave()
      resolve(arrived)
    }
    const leave = module.subscribe(tell)
    module.load()
    tell()
  })
}
