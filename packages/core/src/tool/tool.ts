import type { Schema } from 'ai'
import type { z } from 'zod'
import type { FilePart } from '../domain/files/blob.ts'
import type { JsonObject } from '../domain/json/json.ts'
import type { ChatPart } from '../domain/message/message.ts'
import type { Recall } from '../domain/message/recalled.ts'
import type { Answer, AnswerReply, Question } from '../domain/permission/ask.ts'
import type { Requirement } from '../domain/permission/permission.ts'
import type { ServerForm } from '../domain/permission/server-form.ts'
import type { PlannedChange } from '../domain/workspace/file-change.ts'
import type { WorkspaceFiles } from '../ports/files.ts'
import type { Clock, PdfReader, WebPages, WebSearch } from '../ports/index.ts'
import type { LoadedSkill } from '../workspace/load-skill.ts'
import type { RunMemories } from './run-memories.ts'
import type { Shell } from './shell.ts'

/** Where a call works. */
export type ToolPlace = {
  /** Real path of the session's folder; null when it has none, or one that the operator does not allow. */
  workspaceRoot: string | null
  files: WorkspaceFiles
  /** Pages of the web; null on a host that reads none. */
  web: WebPages | null
  /** The text of PDFs; null on a host that reads none. */
  pdf: PdfReader | null
  /** Runs commands; null on a host that runs none. */
  shell: Shell | null
  /** Searches the web; null on a host where no search is configured. */
  webSearch: WebSearch | null
}

/** The skills of a turn. */
export type RunSkills = {
  names: readonly string[]
  /** Whether the model sees its body already. */
  isLoaded(name: string): boolean
  load(name: string): Promise<LoadedSkill>
}

/** What a tool may reach, and nothing else. */
export type ToolRuntime = ToolPlace & {
  /** The chat: for a subagent, that of its root. */
  sessionId: string
  toolCallId: string
  /** A person's answers to the tool's questions, one for each. */
  answers: readonly Answer[]
  /** The form that the call has asked for by `FormNeeded`, with the reply; null when it is executed for the first time. */
  resumed: { form: ServerForm; reply: AnswerReply } | null
  /**
   * What allows the call: `reading`, that it was judged to read and nothing else, so that it must not be able to do more; `all`, a
   * person, a rule or the mode.
   */
  permitted: 'reading' | 'all'
  /** The file, by its SHA-256, that a person saw a change of and allowed it; null when nobody was asked. */
  shown: Pick<PlannedChange, 'stamp'> | null
  /** SHA-256 of a file, by its located path, as the model has last read or written it; null when it has not. */
  seen(path: string): string | null
  skills: RunSkills
  /** Aborts when the run stops; a tool that continues after it is not awaited. */
  signal: AbortSignal
  clock: Clock
  /** Notes that outlive the session. */
  memories: RunMemories
  /** Finds what compactions have summarised of this session. */
  recall: Recall
  /** Stores the bytes of a file that a result shows, and returns the part that names them. */
  keepFile(bytes: Uint8Array, file: Pick<FilePart, 'mediaType' | 'filename'>): Promise<FilePart>
  /** Bytes that a call's output may have in the window of its model; null for no limit but that of rows. */
  outputBytes?(): number | null
  /** All of the text of an earlier call of which the result holds only the head; null when there is none. */
  readOutput(toolCallId: string): Promise<Uint8Array<ArrayBuffer> | null>
  /** Notes changes of files until what the call has left running ends. */
  follow?(ended: Promise<unknown>): void
  /** Shows a person what the call has so far; each replaces the one before. Dropped once the call has ended. */
  progress(result: ToolResult): void
}

/** What a subagent is to do; in the background the call does not wait for its end. */
export type SubagentCall = { agent: string; prompt: string; background: boolean }

/** An output that a tool holds outside of its result. */
export type WholeOutput = {
  /** Its bytes; null when they cannot be had, or are more than a blob may have. */
  read(): Promise<Uint8Array | null>
  /** Called once they are in the blob with this hash, or only their beginning is. */
  stored(hash: string, isAll: boolean): Promise<void>
}

/** A tool's answer for the model. A failure is thrown as a `ToolError`. */
export type ToolResult = {
  text: string
  /** All of the output, where `text` is only its head. */
  all?: WholeOutput
  /** The end of `text` that stays when it is cut, such as how a command ended. */
  ending?: string
  truncated?: boolean
  outputPath?: string
  data?: object
  /** Files that a model which takes them sees beside the text. */
  files?: FilePart[]
}

/** What decides whether a tool can do anything yet. */
export type ToolFacts = {
  /** The parts of the messages that the model sees. */
  parts: readonly ChatPart[]
  /** Whether the session has commands in the background, also ended ones. */
  hasCommands: boolean
  /** Whether the prompt lists memories. */
  hasMemories: boolean
}

export type Tool<Input extends object = object> = {
  id: string
  description: string
  input: z.ZodType<Input>
  /** The JSON Schema that the model gets and arguments are checked by, in place of one made of `input`. */
  schema?: Schema<Input>
  /** What the parts of its calls say about it, for clients. */
  metadata?: JsonObject
  /** Whether it can do anything yet; a tool without it is offered from the first step on, and one that was offered stays. */
  canAct?(facts: ToolFacts): boolean
  /** What a session without a folder has in its place; null for nothing. A tool without this key is the same everywhere. */
  withoutFolder?: Tool | null
  /** What the call needs permission for, by its validated arguments. A `ToolError` ends the call. */
  requires(args: Input, place: ToolPlace): Requirement[] | Promise<Requirement[]>
  /** Patterns beyond the requirement's own that a lasting rule may have; without it the folder of a path. */
  widerPatterns?(requirement: Requirement): string[]
  /** The change that a person sees before they allow the call. A `ToolError` ends the call. */
  preview?(args: Input, runtime: ToolRuntime): Promise<PlannedChange>
  /** Questions that a person answers before each call is executed. */
  questions?(args: Input): Question[]
  /** True: an execution that more than reading is allowed may change any file of the folder. */
  changesFiles?: true
  /** True: an execution may throw `FormNeeded`. */
  asks?: true
  /** The subagent that the call starts, in place of `execute`. */
  subagent?(args: Input): SubagentCall
  /** Milliseconds that a call may take; two minutes without it. */
  timeoutMs?(args: Input): number
  /** True: once the model has read text from outside, a person is asked about each call, whatever rules and mode allow. */
  cautious?: true
  /** False: calls of this tool wait for one another. */
  parallel?: false
  /** A call of it ends the run. */
  final?: true
  execute(args: Input, runtime: ToolRuntime): Promise<ToolResult>
}

/** An error whose message is returned to the model. For any other error the model gets only that the tool failed. */
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

/** Has a person asked a form in the middle of a call, which is then executed again with the reply. */
export class FormNeeded extends Error {
  readonly form: ServerForm
  readonly questions: Question[]

  constructor(form: ServerForm, questions: Question[]) {
    super(`${form.server} asks a person.`)
    this.name = 'FormNeeded'
    this.form = form
    this.questions = questions
  }
}

/**
 * Ends a call that was judged to read and would do more. It is decided about again by these requirements, and executed again, with
 * `permitted: 'all'`, once they are allowed.
 */
export class PermissionNeeded extends Error {
  readonly requirements: Requirement[]

  constructor(requirements: Requirement[]) {
    super('The call needs a permission.')
    this.name = 'PermissionNeeded'
    this.requirements = requirements
  }
}

/** Keeps the arguments' type while the catalogue holds tools of any. */
export function defineTool<Input extends object>(tool: Tool<Input>): Tool<Input> {
  return tool
}
