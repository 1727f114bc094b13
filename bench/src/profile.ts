import type { LibrarySize } from './library/seed.ts'
import type { CostSize } from './measure/cost.ts'
import type { FanOutSize, SilentSize } from './measure/fan-out.ts'
import type { SoakSize } from './measure/soak.ts'
import type { StartSize } from './measure/start.ts'
import type { GrepSize } from './measure/tools.ts'
import type { BusySize } from './targets/busy-target.ts'

/** How much is measured. */
export type Profile = {
  /** Whether all benchmarks use the same servers. */
  oneLab: boolean
  firstDelta: { samples: number }
  /** `deltas` rise by tens from the size that the rule names. */
  burst: { deltas: number; rounds: number }[]
  crowd: { sessions: number; rounds: number }[]
  attach: { deltas: number; rounds: number }[]
  viewers: { deltas: number; rounds: number }
  fanOut: FanOutSize[]
  silence: SilentSize[]
  library: { sizes: LibrarySize[]; samples: number }
  history: { messages: number; rounds: number }[]
  start: StartSize[]
  soak: SoakSize[]
  /**
   * One question after the other by plain HTTP: `samples` for the first delta, `apart` of them with pauses, `rounds` of a
   * quick reply.
   */
  stranger: { samples: number; apart: { samples: number; pauseMs: number }; rounds: number }
  /** One stream by plain HTTP. */
  flatOut: { deltas: number; rounds: number }[]
  /** Many at once by plain HTTP. */
  strangers: { sessions: number; rounds: number }[]
  /** Steps with tool calls, and searches of folders. */
  tools: { rounds: number; grep: GrepSize[] }
  cost: CostSize
  /** `scale` shortens the attacks; `restMs` after each is measured too, since texts are indexed in it. Null: none. */
  attacks: { scale: number; restMs: number } | null
  busy: BusySize
}

export const FULL: Profile = {
  oneLab: false,
  firstDelta: { samples: 200 },
  burst: [
    { deltas: 5_000, rounds: 9 },
    { deltas: 50_000, rounds: 2 },
    { deltas: 500_000, rounds: 1 },
  ],
  crowd: [
    { sessions: 10, rounds: 1 },
    { sessions: 100, rounds: 5 },
    { sessions: 500, rounds: 1 },
  ],
  attach: [
    { deltas: 5_000, rounds: 9 },
    { deltas: 50_000, rounds: 15 },
    { deltas: 500_000, rounds: 5 },
  ],
  viewers: { deltas: 5_000, rounds: 5 },
  fanOut: [
    { viewers: 20, transport: 'ws', everyMs: 20, deltas: 300, rounds: 3 },
    { viewers: 200, transport: 'ws', everyMs: 20, deltas: 300, rounds: 3 },
    { viewers: 200, transport: 'sse', everyMs: 20, deltas: 300, rounds: 3 },
  ],
  silence: [{ viewers: 40, megabytes: 20, silenceMs: 5_000 }],
  library: {
    sizes: [1_000, 10_000, 100_000].map((sessions) => ({
      sessions,
      messagesPerSession: 10,
      longMessages: 10_000,
    })),
    samples: 200,
  },
  history: [
    { messages: 1_000, rounds: 9 },
    { messages: 10_000, rounds: 9 },
    { messages: 100_000, rounds: 3 },
  ],
  start: [
    { messages: 1_650, rounds: 5, command: true },
    { messages: 16_500, rounds: 5, command: true },
    { messages: 165_000, rounds: 5, command: true },
  ],
  soak: [{ runs: 1_000, restMs: 61_000 }],
  stranger: { samples: 200, apart: { samples: 30, pauseMs: 3_000 }, rounds: 9 },
  flatOut: [{ deltas: 50_000, rounds: 5 }],
  strangers: [
    { sessions: 10, rounds: 1 },
    { sessions: 100, rounds: 10 },
  ],
  tools: {
    rounds: 50,
    grep: [
      { files: 500, rounds: 15 },
      { files: 5_000, rounds: 15 },
      { files: 50_000, rounds: 9 },
    ],
  },
  cost: { chats: 50, rounds: 5, restMs: 3_000 },
  attacks: { scale: 1, restMs: 1_000 },
  busy: { messages: 10_000, words: 60, files: 15_000 },
}

/** The sizes that the rules name, without those that show growth and without attacks: what `docs/performance.md` prints. */
export const PAGE: Profile = {
  ...FULL,
  burst: [{ deltas: 5_000, rounds: 9 }],
  crowd: [
    { sessions: 100, rounds: 5 },
    { sessions: 500, rounds: 1 },
  ],
  attach: [{ deltas: 50_000, rounds: 9 }],
  fanOut: FULL.fanOut.filter(({ viewers }) => viewers === 200),
  library: { sizes: FULL.library.sizes.slice(-1), samples: 200 },
  history: [{ messages: 10_000, rounds: 5 }],
  start: [{ messages: 165_000, rounds: 3, command: true }],
  strangers: [{ sessions: 100, rounds: 10 }],
  attacks: null,
}

export const QUICK: Profile = {
  oneLab: true,
  firstDelta: { samples: 5 },
  burst: [{ deltas: 500, rounds: 1 }],
  crowd: [{ sessions: 5, rounds: 1 }],
  attach: [{ deltas: 500, rounds: 2 }],
  viewers: { deltas: 200, rounds: 1 },
  fanOut: [
    { viewers: 10, transport: 'ws', everyMs: 5, deltas: 40, rounds: 1 },
    { viewers: 10, transport: 'sse', everyMs: 5, deltas: 40, rounds: 1 },
  ],
  silence: [{ viewers: 2, megabytes: 1, silenceMs: 0 }],
  library: { sizes: [{ sessions: 100, messagesPerSession: 4, longMessages: 100 }], samples: 5 },
  history: [{ messages: 100, rounds: 2 }],
  start: [{ messages: 10, rounds: 1, command: false }],
  soak: [{ runs: 20, restMs: 0 }],
  stranger: { samples: 5, apart: { samples: 2, pauseMs: 0 }, rounds: 1 },
  flatOut: [{ deltas: 500, rounds: 1 }],
  strangers: [{ sessions: 5, rounds: 1 }],
  tools: { rounds: 1, grep: [{ files: 20, rounds: 1 }] },
  cost: { chats: 2, rounds: 1, restMs: 0 },
  attacks: { scale: 0.001, restMs: 0 },
  busy: { messages: 20, words: 10, files: 10 },
}
