import type { z } from 'zod'
import type { Answer, Question } from '../domain/ask.ts'
import type { Requirement } from '../domain/permission.ts'
import type { Clock, WorkspaceFiles } from '../ports/index.ts'

/** What a tool may reach, and nothing else. */
export type ToolRuntime = {
  sessionId: string
  toolCallId: string
  /** A person's answers to the tool's questions, one for each. */
  answers: readonly Answer[]
  /** Aborts when the run stops; a tool that continues after it is not awaited. */
  signal: AbortSignal
  /** Real path of the session's folder; null when the operator does not allow it. */
  workspaceRoot: string | null
  files: WorkspaceFiles
  clock: Clock
}

/** A tool's answer for the model. A failure is thrown as a `ToolError`. */
export type ToolResult = { text: string; truncated?: boolean; outputPath?: string; data?: object }

export type Tool<Input extends object = object> = {
  id: string
  description: string
  input: z.ZodType<Input>
  /** Evaluated with the validated arguments before the call. */
  requires(args: Input): Requirement[]
  /** Questions that a person answers before each call is executed. */
  questions?(args: Input): Question[]
  /** False: calls of this tool wait for one another. */
  parallel?: false
  /** A call of it ends the run. */
  final?: true
  execute(args: Input, runtime: ToolRuntime): Promise<ToolResult>
}

/** An error whose message is returned to the model. For any other error the model only learns that the tool failed. */
export class ToolError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ToolError'
  }

  /** The bare words: what a person and the model read is the error as a string. */
  override toString(): string {
    return this.message
  }
}

/** Keeps the arguments' type while the catalogue holds tools of any. */
export function defineTool<Input extends object>(tool: Tool<Input>): Tool<Input> {
  return tool
}
