import type { Answer, Ask, AskKind, AskRequest } from '../domain/ask.ts'
import { type PermissionRule, type Requirement, sessionMode, sessionRules } from '../domain/permission.ts'
import { type CallFacts, decideCall } from '../permission/decide-call.ts'
import { proposePatterns } from '../permission/propose-patterns.ts'
import { stricterVerdict, type Watchdog, watch } from '../permission/watchdog.ts'
import type { Store } from '../ports/index.ts'
import { failureOf, type ToolContext, type ValidCall } from '../tool/execute-call.ts'
import { outsideText } from './outside-text.ts'
import type { RunState } from './run-state.ts'

const NOBODY = 'Nobody can be asked here, so the call was not made.'

/** The decision about a call. */
export type Decision =
  /** `by` names the rule or mode that allows it without an ask; `shown` is the state of the file that a person saw a change of. */
  | { type: 'execute'; answers: readonly Answer[]; by: string | null; shown: ShownState | null }
  /** `automatic` when a rule denies it; else a person did, or nobody can be asked. */
  | { type: 'refuse'; reason: string; automatic: boolean }
  /** It cannot be made as it is. */
  | { type: 'fail'; message: string }
  | { type: 'ask'; request: AskRequest }
  /** It was asked about and has no reply. */
  | { type: 'wait'; on: AskKind }
  /** A call before it in the step changes the same file. */
  | { type: 'defer' }

/** SHA-256 of a file before a change that a person saw; null for a file that is new. */
export type ShownState = { stamp: string | null }

export type DecisionPorts = {
  store: Store
  headless: boolean
  /** Rules of the configuration. */
  projectRules: readonly PermissionRule[]
  watchdog?: Watchdog | undefined
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
  const askOf = ({ toolCallId }: ValidCall) => asks.find((ask) => ask.toolCallId === toolCallId)
  const isNew = calls.some((call) => askOf(call) === undefined)
  const policy = isNew ? await readPolicy(run, ports) : NO_POLICY
  const required = await Promise.all(calls.map((call) => requirementsOf(call, askOf(call), ports.tools)))
  const changing = new Set<string>()
  const open = calls.map((call, index): { call: Call; decide: () => Promise<Decision> | Decision } => {
    const ask = askOf(call)
    const requirements = required[index] ?? 'This call cannot be made.'
    if (typeof requirements === 'string')
      return { call, decide: () => ({ type: 'fail', message: requirements }) }
    const files = requirements.flatMap(({ permission, pattern }) => (permission === 'edit' ? [pattern] : []))
    const waits = files.some((file) => changing.has(file))
    for (const file of files) changing.add(file)
    if (ask !== undefined) return { call, decide: () => byReply(ask) }
    if (waits) return { call, decide: () => ({ type: 'defer' }) }
    return { call, decide: () => decideNew(run, call, { ...policy, requirements }, ports) }
  })
  return await Promise.all(open.map(async ({ call, decide }) => ({ call, decision: await decide() })))
}

type Policy = Pick<CallFacts, 'rules' | 'mode'>

const NO_POLICY: Policy = { rules: [], mode: 'ask' }

/** The rules and the mode as they are now: a person may change them at any time. */
async function readPolicy(run: RunState, { store, tools, projectRules }: DecisionPorts): Promise<Policy> {
  const { workspaceRoot } = tools
  const [session, given] = await Promise.all([
    store.sessions.get(run.sessionId),
    workspaceRoot === null ? [] : store.permissions.ofWorkspace(workspaceRoot),
  ])
  const { permissions } = session ?? run.session
  return {
    rules: [...run.agent.rules, ...projectRules, ...given, ...sessionRules(permissions)],
    mode: sessionMode(permissions),
  }
}

/** What a call requires, or why it cannot be made. */
async function requirementsOf(
  { tool, args }: ValidCall,
  ask: Ask | undefined,
  tools: ToolContext,
): Promise<readonly Requirement[] | string> {
  if (ask !== undefined) return ask.request.kind === 'approval' ? (ask.request.requirements ?? []) : []
  try {
    return await tool.requires(args, tools)
  } catch (error) {
    return failureOf(tool, error)
  }
}

function byReply({ request, reply }: Ask): Decision {
  switch (reply?.type) {
    case 'approved': {
      const shown = request.kind === 'approval' ? (request.change ?? null) : null
      return { type: 'execute', answers: [], by: null, shown }
    }
    case 'answered':
      return { type: 'execute', answers: reply.answers, by: null, shown: null }
    case 'denied':
      return { type: 'refuse', reason: reply.reason ?? 'The person denied this call.', automatic: false }
    case 'cancelled':
      return { type: 'refuse', reason: NOBODY, automatic: false }
    case undefined:
      return { type: 'wait', on: request.kind }
  }
}

async function decideNew(
  run: RunState,
  { toolCallId, tool, args }: ValidCall,
  facts: Omit<CallFacts, 'watched'>,
  { tools, headless, watchdog }: DecisionPorts,
): Promise<Decision> {
  const { sessionId, agent } = run
  const { mode, requirements, rules } = facts
  const { workspaceRoot } = tools
  const outside = tool.cautious === true ? outsideText(run) : null
  const seen = watch(watchdog, {
    sessionId,
    agentId: agent.id,
    toolId: tool.id,
    args,
    mode,
    workspaceRoot,
  })
  const watched = stricterVerdict(seen, outside)
  const verdict = decideCall({ ...facts, watched })
  if (verdict.action === 'deny') return { type: 'refuse', reason: verdict.reason, automatic: true }
  const questions = tool.questions?.(args)
  if (verdict.action === 'allow' && questions === undefined)
    return { type: 'execute', answers: [], by: verdict.by, shown: null }
  if (headless) return { type: 'refuse', reason: NOBODY, automatic: false }
  if (questions !== undefined) return { type: 'ask', request: { kind: 'answer', questions } }
  if (verdict.action === 'allow') return { type: 'execute', answers: [], by: verdict.by, shown: null }
  const { reason, asked } = verdict
  const patterns = asked === null ? [] : proposePatterns(asked, rules, tool.widerPatterns?.(asked))
  try {
    const runtime = {
      ...tools,
      toolCallId,
      answers: [],
      shown: null,
      signal: run.signal,
      progress: () => undefined,
    }
    const change = await tool.preview?.(args, runtime)
    const approval = { tool: tool.id, args, reason, patterns, requirements: [...requirements] }
    return {
      type: 'ask',
      request: { kind: 'approval', ...approval, ...(asked && { asked }), ...(change && { change }) },
    }
  } catch (error) {
    return { type: 'fail', message: failureOf(tool, error) }
  }
}
