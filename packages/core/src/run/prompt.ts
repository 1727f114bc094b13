import { arrangeMessages } from '../context/arrange-messages.ts'
import { cachedInstructions, cachedMessages } from '../context/cache-breakpoints.ts'
import {
  type LeftOut,
  leftOutOfReply,
  type ModelView,
  modelViewOfReply,
  NOTHING_LEFT_OUT,
} from '../context/model-view.ts'
import { isProvidersOwn } from '../context/prepare-message.ts'
import { familyOf } from '../context/provider-family.ts'
import { type ReadBlob, resolveFiles } from '../context/resolve-files.ts'
import { type Lowered, NOTHING_LOWERED, toModelMessages } from '../context/to-model-messages.ts'
import { createPace } from '../domain/async/pace.ts'
import { type CondensedOutputs, formsInUse } from '../domain/message/condensed-output.ts'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import type { Reminder } from '../domain/message/reminder.ts'
import type { ModelRef } from '../domain/model/model.ts'
import { fixedLimit } from '../domain/window/context-window.ts'
import type { PromptLeftOut } from '../domain/window/prompt-left-out.ts'
import type { Capacity } from '../history/compaction/context-window-manager.ts'
import type { Clock, Logger, OpenModel } from '../ports/index.ts'
import { assemblePrompt, type Environment, stablePart, toolPart } from '../prompt/assemble.ts'
import { toAiTools } from '../tool/ai-tools.ts'
import type { ToolCatalogue } from '../tool/mcp/tool-catalogue.ts'
import { skillTool } from '../tool/skill.ts'
import type { Guidance } from '../workspace/guidance.ts'
import type { Agent } from './agent.ts'
import { isLongPrompt, type StepRequest } from './call/sdk-call.ts'
import { fitPrompt, fixedTokens } from './fit-prompt.ts'
import { toReminder } from './reminder.ts'

/** The prompt of a run: the same conversation in each step, except for what compactions remove. */
export type Prompt = {
  /** Replaces the conversation after a pruning or a compaction. */
  apply(capacity: Capacity): void
  request(
    reply: ChatMessage | null,
    reminders: readonly Reminder[],
  ): Promise<Omit<StepRequest, 'maxOutputTokens'>>
  /** Omits items that only the provider's package can write, after it has failed to. */
  simplify(): void
  /** The system prompt. */
  readonly instructions: string
  /** Characters at its beginning and its end that the prompts of other turns share. */
  readonly shared: { start: number; end: number }
  /** Paths of instruction files that it does not hold whole; empty in a turn that goes on after a wait. */
  readonly cut: readonly string[]
  /** What it and the tools leave out in a small window; null when that is nothing. */
  readonly omitted: PromptLeftOut | null
  /** Tokens of the next request's fixed part: the system prompt and the tool definitions. */
  fixedTokens(reply: ChatMessage | null): number
  /** Makes the fixed part fit a window that turns out to be smaller: the provider has refused a request. */
  fit(usable: number): void
  /** What the model sees of the conversation before the reply. */
  readonly view: ModelView
  /** What the next request would leave out, given the reply so far. */
  leftOut(reply: ChatMessage): LeftOut
  /** What the last request left out, how many condensed forms of the reply were in use, and the tokens of its fixed part. */
  readonly asked: LeftOut & { ownForms: number; fixed: number }
  /** The reply of the last request with what has come since. */
  asAsked(reply: ChatMessage): ChatMessage
}

type PromptRun = {
  sessionId: string
  runId: string
  agent: Agent
  model: ModelRef
  open: OpenModel
  /** Tokens that the model's window may hold; null when that is unknown. */
  usable: number | null
  view: ModelView
  /** The person's instructions for every session. */
  personal: string
  /** The section of memories. */
  memories: string
  guidance: Guidance
  environment: Environment
  /** The system prompt with which the turn began, when it goes on after a wait; null at its start. */
  begunWith: string | null
  catalogue: ToolCatalogue
  /** The calls of the reply whose outputs the model has seen as stubs, when it goes on after a wait. */
  stubs: ReadonlySet<string>
  /** What the visible messages before the turn hold. */
  earlier: readonly ChatPart[]
  /** Whether the session has commands in the background. */
  hasCommands(): boolean
}

type PromptDeps = { clock: Clock; logger: Logger; readBlob: ReadBlob }

export function createPrompt(run: PromptRun, { clock, logger, readBlob }: PromptDeps): Prompt {
  const {
    agent,
    catalogue,
    earlier,
    personal,
    guidance,
    memories,
    environment,
    model,
    open,
    sessionId,
    runId,
  } = run
  const family = familyOf(open.model)
  const cut = run.begunWith === null ? guidance.instructions.cut : []
  const factsOf = (reply: readonly ChatPart[]) => ({
    parts: [...earlier, ...reply],
    hasCommands: run.hasCommands(),
    hasMemories: memories !== '',
  })
  const texts = {
    manifest: agent.prompt,
    personal,
    instructions: guidance.instructions.files,
    skills: agent.tools.some(({ id }) => id === skillTool.id) ? guidance.skills.skills : [],
    memories,
    environment,
  }
  const { providerId } = model
  /** The system prompt of a window of this size, and what it leaves out. */
  function assemble(usable: number | null, begunWith: string | null) {
    const offer = { catalogue, facts: factsOf([]) }
    const { parts, leftOut } = fitPrompt(texts, offer, { limit: fixedLimit(usable), providerId })
    const instructions = begunWith ?? assemblePrompt(parts)
    const stable = stablePart(parts)
    const end = toolPart(parts)
    const shared = {
      start: instructions.startsWith(stable) ? stable.length : 0,
      end: instructions.endsWith(end) ? end.length : 0,
    }
    return { instructions, shared, leftOut }
  }
  let fixed = assemble(run.usable, run.begunWith)
  let view = run.view
  let stubs = run.stubs
  let lowered: Promise<Lowered> | null = null
  let plain = false
  let asked = { ...NOTHING_LEFT_OUT, ownForms: 0, fixed: 0 }
  let condensed: CondensedOutputs | undefined

  async function lower(messages: readonly ChatMessage[], before?: { before: Lowered; pending: boolean }) {
    const pace = createPace(clock)
    const whole = await resolveFiles(messages, { info: open.info, family, readBlob }, pace)
    const onLeftOut = (messageId: string, error: unknown) =>
      logger.warn(
        { sessionId, runId, messageId, reason: error instanceof Error ? error.name : typeof error },
        'Left parts of a message out of a request that could not be lowered',
      )
    const tools = toAiTools(catalogue.all)
    const target = { model, info: open.info, family, tools, plain, onLeftOut }
    return await toModelMessages(whole, target, { ...before, pace })
  }

  function leftOut(reply: ChatMessage | null): LeftOut {
    const ofReply = reply === null ? NOTHING_LEFT_OUT : leftOutOfReply(reply, stubs)
    return { pruned: view.pruned + ofReply.pruned, condensed: view.condensed + ofReply.condensed }
  }

  const offeredWith = (reply: ChatMessage | null) => catalogue.offered(factsOf(reply?.parts ?? []))

  return {
    get instructions() {
      return fixed.instructions
    },
    get shared() {
      return fixed.shared
    },
    cut,
    get omitted() {
      return fixed.leftOut
    },
    fixedTokens: (reply) => fixedTokens(fixed.instructions, offeredWith(reply), providerId),
    fit(usable) {
      fixed = assemble(usable, null)
    },
    apply(capacity) {
      if (capacity.type !== 'changed') return
      view = capacity.view
      stubs = capacity.stubs
      lowered = null
    },
    async request(reply, reminders) {
      condensed = reply?.metadata?.condensed
      const offered = offeredWith(reply)
      const size = fixedTokens(fixed.instructions, offered, providerId)
      asked = { ...leftOut(reply), ownForms: formsInUse(condensed), fixed: size }
      lowered ??= lower(view.messages)
      const before = await lowered
      // The provider no longer works on a reply that was cut short.
      const ongoing = !reminders.some(({ kind }) => kind === 'continue')
      const own =
        reply === null
          ? NOTHING_LOWERED
          : await lower([modelViewOfReply(reply, condensed, stubs)], { before, pending: ongoing })
      const said = [...before.messages, ...own.messages, ...reminders.map(toReminder)]
      const messages = arrangeMessages(said, family, reply === null || !ongoing)
      const all = reply === null ? view.messages : [...view.messages, reply]
      const canSimplify = !plain && all.some(({ parts }) => parts.some(isProvidersOwn))
      // The AI SDK converts all messages at once.
      if (isLongPrompt(messages)) await clock.turn()
      return {
        open,
        instructions: cachedInstructions(fixed.instructions, fixed.shared.start, family),
        messages: cachedMessages(messages, reminders.length, family),
        tools: offered,
        unlisted: catalogue.left.filter((tool) => !offered.includes(tool)),
        canSimplify,
      }
    },
    simplify() {
      plain = true
      lowered = null
    },
    get view() {
      return view
    },
    leftOut,
    get asked() {
      return asked
    },
    asAsked: (reply) => modelViewOfReply(reply, condensed, stubs),
  }
}
