/** One way on from a fork. */
export type Version = {
  /** The session that goes on this way. */
  id: string
  name: string
  /** Messages after the fork, `more` when there are more than were counted; null until they are. */
  count: { messages: number; more: boolean } | null
}
