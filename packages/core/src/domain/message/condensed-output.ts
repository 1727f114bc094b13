import type { ModelRef } from '../model/model.ts'

/** A shorter form of a tool call's output, which its model sees in the output's place. The output itself stays. */
export type CondensedOutput = {
  text: string
  /** The model that wrote it. */
  model: ModelRef
  /** Length of the output that was condensed: a call of the same id with another output has no condensed form. */
  ofCharacters: number
  /** Estimated tokens of the output, and of its condensed form. */
  beforeTokens: number
  afterTokens: number
  /** Tokens that writing it took, apart from the conversation's. */
  spentTokens: number
  /** The model sees the output itself by request; the form is kept. */
  unused?: true
}

/** Condensed forms by the `toolCallId` of their outputs. */
export type CondensedOutputs = Record<string, CondensedOutput>

/** The forms with this call's one switched on or off; the same object when nothing changes. */
export function withFormUsed(outputs: CondensedOutputs, toolCallId: string, used: boolean): CondensedOutputs {
  const form = Object.hasOwn(outputs, toolCallId) ? outputs[toolCallId] : undefined
  if (!form || (form.unused !== true) === used) return outputs
  const { unused: _, ...kept } = form
  return { ...outputs, [toolCallId]: used ? kept : { ...kept, unused: true } }
}

/** How many of these forms their model sees; an import may hold anything in a form's place. */
export function formsInUse(outputs: CondensedOutputs | undefined): number {
  return Object.values(outputs ?? {}).filter((form) => form?.unused !== true).length
}
