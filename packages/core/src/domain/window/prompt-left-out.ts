/** What a system prompt and its tool definitions leave out, because all of it would take too much of a small window. */
export type PromptLeftOut = {
  /** Tokens that the system prompt and the tool definitions may take together. */
  limit: number
  /** Ids of tools, in the order in which they left; the model finds them by a search. */
  tools: string[]
  /** Names of skills. */
  skills: string[]
  /** Paths of instruction files that are not sent whole. */
  instructions: string[]
  /** The person's own instructions are not sent whole. */
  personal: boolean
  /** The list of memories is not sent whole. */
  memories: boolean
}
