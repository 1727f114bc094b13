import { lazyModule } from '../lazy/lazy-module.ts'

/** What the meter opens to. */
export const meterParts = lazyModule(() => import('./context-breakdown.tsx'))
