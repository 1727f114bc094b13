import type { Role } from './message.ts'

/** A passage of a message that a compaction has summarised. */
export type Recalled = { sessionId: string; messageId: string; role: Role; createdAt: number; text: string }

export type Recall = (query: string) => Promise<Recalled[]>
