import type { Ledger } from '../budget/ledger.ts'
import { type ChatMessage, type StoredMessage, toChatMessage } from '../domain/message/message.ts'
import type { ModelInfo, ModelRef } from '../domain/model/model.ts'
import type { AskKind } from '../domain/permission/ask.ts'
import type { PermissionRule } from '../domain/permission/permission.ts'
import { rootOf, type Session } from '../domain/session/session.ts'
import { outputLimit } from '../domain/window/context-window.ts'
import type { HistoryPorts } from '../history/apply/perform.ts'
import type { RewindTarget } from '../history/apply/rewind.ts'
import {
  type ContextWindowManager,
  createContextWindowManager,
  prunedCalls,
} from '../history/compaction/context-window-manager.ts'
import type { Condenser, Condensing } from '../history/condensing/condenser.ts'
import { recall } from '../history/read/recall.ts'
import type { Watchdog } from '../permission/watchdog.ts'
import type { LiveWriter, RunBeginning, RunLease, RunTrigger } from '../ports/index.ts'
import { memorySection } from '../prompt/memories.ts'
import type { Background } from '../state/background.ts'
import type { Claim } from '../state/coordinator.ts'
import type { Scoped } from '../state/session-scopes.ts'
import type { SubagentLimit } from '../state/subagent-limit.ts'
import type { ToolContext } from '../tool/execute-call.ts'
import type { McpHub } from '../tool/mcp/mcp-hub.ts'
import type { RunMemories } from '../tool/run-memories.ts'
import type { Shell } from '../tool/shell.ts'
import type { GuidancePorts } from '../workspace/guidance.ts'
import type { Agent, AgentLookup } from './agent.ts'
import { carriedInto } from './carried-calls.ts'
import type { Repetition } from './doom-loop.ts'
import { noteFixedPart } from './note-fixed-part.ts'
import { stepCalls } from './open-parts.ts'
import { createPrompt, type Prompt } from './prompt.ts'
import type { ReadGitStatus, TurnReads } from './read-ahead.ts'
import { readOutput } from './read-output.ts'
import { readThread, type Thread } from './read-thread.ts'
import { createRecorder, type Recorder, type SavePolicy } from './recorder.ts'
import { openRunLedger } from './run-ledger.ts'
import { createRunMemories } from './run-memories.ts'
import { createRunReminders, type RunReminders } from './run-reminders.ts'
import { createRunSkills } from './run-skills.ts'
import { lastSeen } from './seen-files.ts'
import { type Equipped, withMcpTools, withSubagents } from './with-run-tools.ts'

export type TurnPorts = HistoryPorts &
  GuidancePorts &
  AgentLookup & {
    background: Background
    condenser: Condenser
    chatEnds: Scoped<ChatEnd>
    subagentLimit: SubagentLimit
    /** Null on a host that runs no commands. */
    shell: Shell | null
    /** Null on a host without MCP servers. */
    mcpHub: McpHub | null
    agents: ReadonlyMap<string, Agent>
    /** The person's instructions for every session; empty without any. */
    instructions(): Promise<string>
    /** Whether a model may propose memories after a turn. */
    proposesMemories(): Promise<boolean>
  }

/** What follows when a run of a chat or of its subagents ends, or begins to wait: only an archived chat has it. */
export type ChatEnd = { onRunEnd: ((sessionId: string, waitsOn: AskKind | null) => void) | null }

export type TurnStart = {
  /** The row at the time of the request. */
  session: Session
  runId: string
  trigger: RunTrigger
  /**
   * The rewind before the turn, planned once the session is claimed; null for the one that an earlier rewind
   * makes necessary. Without it the conversation continues as it is.
   */
  rewind?: RewindTarget | null
  /** The model of the reply, unless the message that starts it names one. */
  model: ModelRef
  agent: Agent
  continues?: boolean
}

/** A run that has begun; with the message that started it, unless it continues the conversation as it is. */
export type FiredRun = { runId: string; messageId: string | null }

/**
 * Claims the session, stores what starts the run, and runs it; resolves once it is stored. Fails as `RunStore.begin` does,
 * and with `SESSION_BUSY` once the host stops. Null when the trigger is the queue and it is empty.
 */
export type StartTurn = (turn: TurnStart) => Promise<FiredRun | null>

/** A turn whose session is claimed and whose question is stored. */
export type BegunTurn = {
  start: TurnStart
  claim: Claim
  lease: RunLease
  /** Aborts with an `AppError` once the claim in the store may be lost. */
  claimLost: AbortSignal
  live: LiveWriter
  begun: RunBeginning
  /** The id of the reply. */
  messageId: string
  /** The reply so far of a run that has waited; null at the start of one. */
  reply: StoredMessage | null
} & TurnReads

export type RunSettings = {
  /** Rules of the configuration, for all sessions. */
  projectRules?: readonly PermissionRule[]
  /** Looks at each call before it is made, and can only tighten. */
  watchdog?: Watchdog
  /** The machine, for the system prompt. */
  platform: string
  gitStatus: ReadGitStatus
}

export type RunPolicy = { savePolicy: SavePolicy; maxTries: number; stallMs: number; headless: boolean }

/** The state of one run, from its start until it has settled. */
export type RunState = Readonly<Equipped> & {
  readonly runId: string
  /** Of its claim. */
  readonly epoch: number
  readonly sessionId: string
  readonly messageId: string
  readonly session: Session
  /** The message that started the run; null when it continues the conversation as it is. */
  readonly question: ChatMessage | null
  readonly model: ModelRef
  /** Continues a reply that was cut short, instead of answering a new message. */
  readonly continues: boolean
  /** The visible messages at the start of the run; the message that started it is the last. */
  readonly visible: readonly StoredMessage[]
  readonly thread: Thread
  readonly startedAt: number
  /** Monotonic milliseconds. */
  readonly begunAt: number
  /** Milliseconds that it had worked when it began to wait. */
  readonly workedBefore: number
  /** Aborts when a caller aborts the run, when the store fails, and when the claim may be lost. */
  readonly signal: AbortSignal
  /** Aborts with the store's error, also when the claim may be lost. */
  readonly storeFailure: AbortSignal
  readonly claim: Claim
  readonly live: LiveWriter
  readonly recorder: Recorder
  readonly condensing: Condensing
  readonly ledger: Ledger
  /** The calls before the run that its own count on from. */
  readonly carried: Repetition
}

export async function openRun(turn: BegunTurn, ports: TurnPorts, savePolicy: SavePolicy): Promise<RunState> {
  const { start, claim, lease, live, messageId, begun } = turn
  const { store, clock } = ports
  const { session } = begun
  const question = begun.message === null ? null : toChatMessage(begun.message)
  const { model = start.model, agent } = question?.metadata ?? {}
  const asked = agent === undefined ? start.agent : await ports.agentOf(agent, session)
  const own = withSubagents(asked, await turn.subagents())
  const [messages, equipped] = await Promise.all([
    store.messages.visible(session.id),
    withMcpTools(own, ports.mcpHub, claim.signal),
  ])
  const visible = messages.filter(({ id }) => id !== messageId)
  const reading = readThread(visible, clock)
  // A short conversation is read: nothing to wait for.
  const thread = reading instanceof Promise ? await reading : reading
  const failure = new AbortController()
  const storeFailure = AbortSignal.any([failure.signal, turn.claimLost])
  const recorder = createRecorder(
    { ...lease, messageId },
    {
      clock,
      live,
      savePolicy,
      save: (write) => store.runs.record(write),
      onFailure: (error) => failure.abort(error),
    },
    turn.reply,
  )
  const ids = { session, runId: start.runId, epoch: lease.epoch, messageId }
  const run = { ...ids, model, signal: claim.signal, recorder }
  return {
    ...run,
    sessionId: session.id,
    question,
    ...equipped,
    ledger: await openRunLedger(turn, session, own, ports),
    continues: start.continues ?? false,
    carried: carriedInto(turn, visible),
    visible,
    thread,
    startedAt: clock.now(),
    begunAt: clock.elapsed(),
    workedBefore: turn.reply?.metadata.durationMs ?? 0,
    signal: AbortSignal.any([claim.signal, storeFailure]),
    storeFailure,
    claim,
    live,
    condensing: ports.condenser.watch(run),
  }
}

/** The prompt of a run, the manager of its context window, and what its tools may reach. */
export type Conversation = {
  prompt: Prompt
  window: ContextWindowManager
  tools: ToolContext
  info: ModelInfo
  reminders: RunReminders
}

export async function openConversation(
  run: RunState,
  { place, reply }: Pick<BegunTurn, 'place' | 'reply'>,
  ports: TurnPorts,
  settings: RunSettings,
): Promise<Conversation> {
  const { model } = run
  const { files, clock } = ports
  const digest = reply?.metadata.systemPromptDigest
  const [open, { guidance, ...placed }, personal, begunWith] = await Promise.all([
    ports.models.open(model),
    place(),
    ports.instructions(),
    digest === undefined ? null : ports.store.messages.systemPrompt(digest),
  ])
  const memories = createRunMemories(run, placed.workspaceRoot, { memories: ports.store.memories, clock })
  const date = new Date(clock.now()).toISOString().slice(0, 10)
  const sandbox = ports.shell?.sandbox.kind ?? null
  const { missing } = run
  const hasFolder = run.session.workspaceRoot !== null
  const environment = { platform: settings.platform, hasFolder, ...placed, date, model, sandbox, missing }
  const { workspaceRoot } = placed
  const { view, earlier } = run.thread
  const seen = (path: string) => lastSeen([...earlier, ...run.recorder.message.parts], path)
  const window = createContextWindowManager({ ...run, info: open.info }, ports)
  const prompt = createPrompt(
    {
      ...run,
      open,
      view,
      usable: window.usable,
      personal,
      guidance,
      memories: await memoriesFor(run, memories),
      environment,
      begunWith,
      stubs: prunedCalls(reply),
      earlier,
      hasCommands: () => (ports.shell?.list(rootOf(run.session)).length ?? 0) > 0,
    },
    { clock, logger: ports.logger, readBlob: ports.keeper.read },
  )
  noteFixedPart(run, prompt.fixedTokens(null), window.usable, ports)
  return {
    prompt,
    reminders: createRunReminders(run, { workspaceRoot, seen }, ports),
    info: open.info,
    window,
    tools: {
      sessionId: rootOf(run.session),
      workspaceRoot,
      files,
      shell: ports.shell,
      web: ports.web ?? null,
      pdf: ports.pdf ?? null,
      seen,
      skills: createRunSkills(guidance.skills.skills, run, files),
      clock,
      keepFile: ports.keeper.keepFile,
      outputBytes: () => outputLimit(window.usable, stepCalls(run.recorder.message.parts).length),
      readOutput: (id) => readOutput([...earlier, ...run.recorder.message.parts], id, ports.keeper.read),
      webSearch: ports.webSearch ?? null,
      recall: (query) => recall(run.session, query, ports),
      memories,
    },
  }
}

/** The index of memories for an agent that can read them. */
async function memoriesFor({ agent }: RunState, memories: RunMemories): Promise<string> {
  const reads = agent.tools.some(({ id }) => id === 'memory_read')
  return reads ? memorySection(await memories.index()) : ''
}
