import type { AnswerReply, Ask, AskKind, AskRequest, TaskRequest } from '../domain/permission/ask.ts'
import type { PermissionRule, Requirement } from '../domain/permission/permission.ts'
import type { HookRunner } from '../hook/hook-runner.ts'
import type { CallVerdict } from '../permission/decide-call.ts'
import { isJudgedToRead } from '../permission/judged-to-read.ts'
import { decideByPolicy, type Policy, proposeByPolicy } from '../permission/policy.ts'
import { stricterVerdict, type Watchdog, type WatchVerdict, watch } from '../permission/watchdog.ts'
import type { Store } from '../ports/index.ts'
import { failureOf, type ToolContext, type ValidCall } from '../tool/execute-call.ts'
import type { PermissionNeeded, ToolRuntime } from '../tool/tool.ts'
import { outsideText } from './outside-text.ts'
import type { PlanTask } from './plan-task.ts'
import { readPolicy } from './read-policy.ts'
import type { RunState, TurnPorts } from './run-state.ts'
import { isCarriedOut, whyNotMade } from './still-allowed.ts'
import { askHooks } from './tool-hooks.ts'

const NOBODY = 'Nobody can be asked here, so the call was not made.'

/** The decision about a call. */
export type Decision =
  /** `by` names the rule or mode that allows it without an ask; `shown` is the state of the file that a person saw a change of. */
  | ({ type: 'execute'; by: string | null } & Execution)
  /** `automatic` when a rule denies it; else a person did, or nobody can be asked. */
  | { type: 'refuse'; reason: string; automatic: boolean }
  /** It cannot be made as it is. */
  | { type: 'fail'; message: string }
  | { type: 'ask'; request: AskRequest }
  /** It was asked about and has no reply. */
  | { type: 'wait'; on: AskKind }
  /** It starts a subagent; in the background nothing waits for its end. */
  | { type: 'start'; task: TaskRequest; background: boolean }
  /** The subagent that it has started has ended. */
  | { type: 'ended'; ask: Ask }
  /** A call before it in the step changes the same file. */
  | { type: 'defer' }

/** What allows a call that is executed, and what a person has said about it. */
type Execution = Pick<ToolRuntime, 'answers' | 'shown' | 'resumed' | 'permitted'>

/** An execution about which nobody was asked, and which nothing but the judgement of it allows. */
const UNASKED: Execution = { answers: [], shown: null, resumed: null, permitted: 'reading' }

export type DecisionPorts = {
  store: Store
  headless: boolean
  /** Rules of the configuration. */
  projectRules: readonly PermissionRule[]
  watchdog?: Watchdog | undefined
  hookRunner: HookRunner
  agentOf: TurnPorts['agentOf']
  planTask: PlanTask
  mcpHub: TurnPorts['mcpHub']
  /** The place where the calls work. */
  tools: ToolContext
}

type Decided<Call> = { call: Call; decision: Decision }

/**
 * Decides about the open calls of a step, by what was asked about them, the rules, the mode and the watchdog. Of several that
 * change one file only the first is decided: what a person sees of the next depends on it.
 */
export async function decideCalls<Call extends ValidCall>(
  run: RunState,
  calls: readonly Call[],
  asks: readonly Ask[],
  ports: DecisionPorts,
): Promise<Decided<Call>[]> {
  const askOf = ({ toolCallId }: ValidCall) => asks.findLast((ask) => ask.toolCallId === toolCallId)
  const required = await Promise.all(calls.map((call) => requirementsOf(call, askOf(call), ports.tools)))
  const isDecided = calls.some((call, index) => {
    const ask = askOf(call)
    return ask === undefined || (isCarriedOut(ask) && required[index]?.length !== 0)
  })
  const policy = isDecided ? await currentPolicy(run, ports) : NO_POLICY
  const changing = new Set<string>()
  const open = calls.map((call, index): { call: Call; decide: () => Promise<Decision> | Decision } => {
    const ask = askOf(call)
    const requirements = required[index] ?? 'This call cannot be made.'
    if (typeof requirements === 'string') {
      if (ask !== undefined) abandonForm(ask, ports)
      return { call, decide: () => ({ type: 'fail', message: requirements }) }
    }
    const files = requirements.flatMap(({ permission, pattern }) => (permission === 'edit' ? [pattern] : []))
    const waits = files.some((file) => changing.has(file))
    for (const file of files) changing.add(file)
    if (ask !== undefined)
      return { call, decide: () => decideReplied(run, call, ask, policy, requirements, ports) }
    if (waits) return { call, decide: () => ({ type: 'defer' }) }
    return { call, decide: () => decideNew(run, call, policy, requirements, ports) }
  })
  return await Promise.all(open.map(async ({ call, decide }) => ({ call, decision: await decide() })))
}

const NO_POLICY: Policy = { levels: [], mode: 'plan' }

/** The rules and the mode as they are now: a person may change them at any time. */
async function currentPolicy(run: RunState, ports: DecisionPorts): Promise<Policy> {
  const session = (await ports.store.sessions.get(run.sessionId)) ?? run.session
  return await readPolicy(session, run.agent, ports.tools.workspaceRoot, ports)
}

/** What a call that is decided about or carried out requires as things are now, else what was shown; or why it cannot be made. */
async function requirementsOf(
  { tool, args }: ValidCall,
  ask: Ask | undefined,
  tools: ToolContext,
): Promise<readonly Requirement[] | string> {
  if (ask !== undefined && !isCarriedOut(ask))
    return ask.request.kind === 'approval' ? (ask.request.requirements ?? []) : []
  try {
    return await tool.requires(args, tools)
  } catch (error) {
    return failureOf(tool, error)
  }
}

/** The decision of the reply, unless what it would carry out is denied by now, or something else than was shown. */
async function decideReplied(
  run: RunState,
  call: ValidCall,
  ask: Ask,
  policy: Policy,
  requirements: readonly Requirement[],
  ports: DecisionPorts,
): Promise<Decision> {
  if (isCarriedOut(ask) && requirements.length > 0) {
    const message = whyNotMade(ask, requirements, policy, watchedBy(run, call, policy, ports))
    if (message !== null) {
      abandonForm(ask, ports)
      return { type: 'fail', message }
    }
  }
  return await started(run, call, byReply(ask), ports)
}

/** Ends a call at an MCP server that has asked in its middle. */
function abandonForm({ request }: Ask, { mcpHub }: DecisionPorts): void {
  if (request.kind === 'answer' && request.form !== undefined) mcpHub?.abandon(request.form)
}

function watchedBy(
  { sessionId, agent }: RunState,
  { tool, args }: ValidCall,
  { mode }: Policy,
  { watchdog, tools: { workspaceRoot } }: DecisionPorts,
): WatchVerdict | null {
  return watch(watchdog, { sessionId, agentId: agent.id, toolId: tool.id, args, mode, workspaceRoot })
}

function byReply(ask: Ask): Decision {
  const { request, reply } = ask
  switch (reply?.type) {
    case 'ended':
      return { type: 'ended', ask }
    case 'approved': {
      const shown = request.kind === 'approval' ? (request.change ?? null) : null
      return { ...UNASKED, type: 'execute', by: null, shown, permitted: 'all' }
    }
    case 'answered':
      return { ...UNASKED, type: 'execute', by: null, ...answeredBy(request, reply) }
    case 'denied':
      return { type: 'refuse', reason: reply.reason ?? 'The person denied this call.', automatic: false }
    case 'cancelled':
      return { type: 'refuse', reason: NOBODY, automatic: false }
    case undefined:
      return { type: 'wait', on: request.kind }
  }
}

/** The answers to a tool's questions, or the reply to the form that its call has asked for. */
function answeredBy(request: AskRequest, reply: AnswerReply): Pick<Execution, 'answers' | 'resumed'> {
  const form = request.kind === 'answer' ? request.form : undefined
  return form === undefined
    ? { answers: reply.answers, resumed: null }
    : { answers: [], resumed: { form, reply } }
}

/** The decision, which starts a subagent where the call would be executed by one. */
async function started(
  run: RunState,
  { tool, args }: ValidCall,
  decision: Decision,
  { planTask }: DecisionPorts,
): Promise<Decision> {
  const wanted = decision.type === 'execute' ? tool.subagent?.(args) : undefined
  if (wanted === undefined) return decision
  const task = await planTask(run, wanted)
  if (typeof task === 'string') return { type: 'fail', message: task }
  return { type: 'start', task, background: wanted.background }
}

async function decideNew(
  run: RunState,
  call: ValidCall,
  policy: Policy,
  requirements: readonly Requirement[],
  ports: DecisionPorts,
): Promise<Decision> {
  const { tools, headless, hookRunner } = ports
  const { toolCallId, tool, args } = call
  const outside = tool.cautious === true ? outsideText(run) : null
  const seen = watchedBy(run, call, policy, ports)
  const hooked = hookRunner.has('tool.before') ? await askHooks(run, call, hookRunner) : null
  const watched = stricterVerdict(stricterVerdict(seen, outside), hooked)
  const verdict = decideByPolicy(policy, requirements, watched)
  if (verdict.action === 'deny') return { type: 'refuse', reason: verdict.reason, automatic: true }
  const questions = tool.questions?.(args)
  if (verdict.action === 'allow' && questions === undefined)
    return await started(run, call, allowedBy(verdict.by, policy, requirements), ports)
  if (headless) return { type: 'refuse', reason: NOBODY, automatic: false }
  if (questions !== undefined) return { type: 'ask', request: { kind: 'answer', questions } }
  if (verdict.action === 'allow') return allowedBy(verdict.by, policy, requirements)
  const { asked } = verdict
  const patterns = asked === null ? [] : proposeByPolicy(policy, asked, tool.widerPatterns?.(asked))
  const request = approvalOf(call, verdict, patterns, requirements)
  try {
    const runtime = {
      ...tools,
      toolCallId,
      ...UNASKED,
      signal: run.signal,
      progress: () => undefined,
    }
    const change = await tool.preview?.(args, runtime)
    return { type: 'ask', request: { ...request, ...(change && { change }) } }
  } catch (error) {
    return { type: 'fail', message: failureOf(tool, error) }
  }
}

/** What is asked about a call, without the change that it would make. */
function approvalOf(
  { tool, args }: ValidCall,
  { reason, asked }: Extract<CallVerdict, { action: 'ask' }>,
  patterns: string[],
  requirements: readonly Requirement[],
): Extract<AskRequest, { kind: 'approval' }> {
  const approval = { tool: tool.id, args, reason, patterns, requirements: [...requirements] }
  return { kind: 'approval', ...approval, ...(asked && { asked }) }
}

/** The execution of a call that the policy allows. */
function allowedBy(by: string | null, policy: Policy, requirements: readonly Requirement[]): Decision {
  const permitted = isJudgedToRead(policy, requirements) ? 'reading' : 'all'
  return { ...UNASKED, type: 'execute', by, permitted }
}

/** Decides about a call that was judged to read, and while it was executed needed to do more. Only its exact line can be allowed lastingly. */
export async function decideAgain(
  run: RunState,
  call: ValidCall,
  { requirements }: PermissionNeeded,
  ports: DecisionPorts,
): Promise<Decision> {
  const policy = await currentPolicy(run, ports)
  const verdict = decideByPolicy(policy, requirements, null)
  if (verdict.action === 'deny') return { type: 'refuse', reason: verdict.reason, automatic: true }
  if (verdict.action === 'allow') return { ...UNASKED, type: 'execute', by: verdict.by, permitted: 'all' }
  if (ports.headless) return { type: 'refuse', reason: `${verdict.reason} ${NOBODY}`, automatic: false }
  const patterns = verdict.asked === null ? [] : proposeByPolicy(policy, verdict.asked, [])
  return { type: 'ask', request: approvalOf(call, verdict, patterns, requirements) }
}
