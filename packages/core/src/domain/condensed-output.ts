import type { ModelRef } from './model.ts'

/** A shorter form of a tool call's output, which its model sees in the output's place. The output itself stays. */
export type CondensedOutput = {
  text: string
  /** The model that wrote it. */
  model: ModelRef
  /** Length of the output that it stands for: a call of the same id that put out something else has no condensed form. */
  ofCharacters: number
  /** Estimated tokens of the output, and of what stands for it. */
  beforeTokens: number
  afterTokens: number
  /** Tokens that writing it took, apart from the conversation's. */
  spentTokens: number
}

/** Condensed forms by the `toolCallId` of what they stand for. */
export type CondensedOutputs = Record<string, CondensedOutput>
