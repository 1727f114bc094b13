import pLimit from 'p-limit'
import { completedOutput } from '../../context/model-view.ts'
import { outputText } from '../../context/output-text.ts'
import { untilAborted } from '../../domain/async/until-aborted.ts'
import type { CondensedOutput, CondensedOutputs } from '../../domain/message/condensed-output.ts'
import { type ChatChunk, type ChatMessage, type ChatPart, isToolPart } from '../../domain/message/message.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Background } from '../../state/background.ts'
import type { SessionScopes } from '../../state/session-scopes.ts'
import type { HistoryPorts } from '../apply/perform.ts'
import { isProtectedTool } from '../plan/plan-pruning.ts'
import { toolOf } from '../plan/prunable-outputs.ts'
import { type CondenseTask, condenseOutput } from './condense-output.ts'
import { keepCondensed } from './keep-condensed.ts'

/** Outputs that a host has condensed at once: a run may make many calls, and all sessions share the cheap model. */
const AT_ONCE = 4

/** Condenses large outputs while a run is on; delays nothing. */
export type Condensing = {
  /** To be called with each chunk that the reply holds by now. */
  note(chunk: ChatChunk): void
  /** Counts how many condensed outputs a request to the model holds. */
  used(hits: number): void
  /** The run goes on after all. */
  open(): void
  /**
   * The reply is about to be finished, or its run to wait. What is condensed from now on is written beside it, or is kept until the
   * run goes on.
   */
  close(why: 'ends' | 'waits'): void
}

type ReplyRecorder = { readonly message: ChatMessage; write(chunk: ChatChunk): void }

/** The reply of the run that works or waits in a session, and the forms that have come while it waits. */
type OpenReply = { messageId: string | null; recorder: ReplyRecorder | null; arrived: CondensedOutputs }

function write(recorder: ReplyRecorder, condensed: CondensedOutputs): void {
  recorder.write({ type: 'message-metadata', messageMetadata: { condensed } })
}

type CondensingRun = {
  session: Session
  runId: string
  messageId: string
  model: ModelRef
  /** Aborts when the run is stopped. */
  signal: AbortSignal
  recorder: ReplyRecorder
}

/** Has large outputs of tools condensed in the background, each once, as soon as its call has ended. */
export type Condenser = {
  watch(run: CondensingRun): Condensing
  /** Stops what is being condensed for a session; nothing of it is kept. */
  abort(sessionId: string): void
}

export type CondenserPorts = Omit<HistoryPorts, 'drafts' | 'workspace'> & {
  background: Background
  scopes: SessionScopes
}

export function createCondenser(ports: CondenserPorts): Condenser {
  const { logger, background, compactionOf } = ports
  const jobs = new Map<AbortController, string>()
  const replies = ports.scopes.define<OpenReply>({
    create: () => ({ messageId: null, recorder: null, arrived: {} }),
    isIdle: ({ messageId }) => messageId === null,
  })
  const limit = pLimit(AT_ONCE)

  function watch({ session, runId, messageId, model, signal, recorder }: CondensingRun): Condensing {
    const sessionId = session.id
    const { condense_above, retry_on_transient } = compactionOf(session)
    const asked = new Set<string>()
    let total = 0
    openReply()

    /** What was condensed while the run waited is part of its reply from now on. */
    function openReply(): void {
      const reply = replies.of(sessionId)
      const arrived = reply.messageId === messageId ? reply.arrived : {}
      Object.assign(reply, { messageId, recorder, arrived: {} })
      if (Object.keys(arrived).length > 0) write(recorder, arrived)
    }

    async function condense(part: EndedCall, stopped: AbortSignal): Promise<void> {
      const { toolCallId, input, output } = part
      const stop = new AbortController()
      jobs.set(stop, sessionId)
      const anyStop = AbortSignal.any([stopped, signal, stop.signal])
      const call = { tool: toolOf(part), input, output }
      const task = { call, caller: model, retries: retry_on_transient, signal: anyStop, session }
      try {
        if ((await ports.budgets.reached(session)) !== null) return
        const condensed = await untilAborted(limit(whenDue, task), anyStop)
        if (condensed === null) return
        const { beforeTokens, afterTokens } = condensed
        logger.info({ sessionId, runId, toolCallId, beforeTokens, afterTokens }, 'Condensed an output')
        await keep(toolCallId, condensed, anyStop)
      } catch (error) {
        if (!anyStop.aborted)
          logger.warn({ error, sessionId, runId, toolCallId }, 'An output could not be condensed')
      } finally {
        jobs.delete(stop)
      }
    }

    async function keep(toolCallId: string, condensed: CondensedOutput, anyStop: AbortSignal) {
      anyStop.throwIfAborted()
      const forms = { [toolCallId]: condensed }
      const reply = replies.find(sessionId)
      if (reply?.messageId !== messageId)
        await keepCondensed({ sessionId, messageId, condensed: forms, signal: anyStop }, ports)
      else if (reply.recorder === null) Object.assign(reply.arrived, forms)
      else write(reply.recorder, forms)
    }

    return {
      note(chunk) {
        if (condense_above === null) return
        const part = endedCall(chunk, recorder.message.parts)
        if (part === null || asked.has(part.toolCallId) || isProtectedTool(toolOf(part))) return
        if (outputText(part.output).length <= condense_above) return
        asked.add(part.toolCallId)
        background.start('condense', (stopped) => condense(part, stopped))
      },
      used(hits) {
        if (hits === 0) return
        total += hits
        logger.info({ sessionId, runId, hits, total }, 'Condensed outputs used')
      },
      open: openReply,
      close(why) {
        const reply = replies.of(sessionId)
        if (reply.messageId !== messageId) return
        reply.recorder = null
        if (why === 'ends') reply.messageId = null
      },
    }
  }

  /** The limit cannot remove a task that was aborted while it waited; such a task ends as soon as it is due. */
  async function whenDue(task: CondenseTask): Promise<CondensedOutput | null> {
    task.signal.throwIfAborted()
    return await condenseOutput(task, ports)
  }

  return {
    watch,
    abort(sessionId) {
      for (const [stop, concerned] of jobs)
        if (concerned === sessionId) stop.abort(new DOMException('The session was stopped.', 'AbortError'))
    },
  }
}

type EndedCall = Extract<ChatPart, { toolCallId: string }>

/** The call that a chunk has ended with an output of our own. */
function endedCall(chunk: ChatChunk, parts: readonly ChatPart[]): EndedCall | null {
  if (chunk.type !== 'tool-output-available' || chunk.preliminary === true) return null
  const part = parts.findLast((one) => isToolPart(one) && one.toolCallId === chunk.toolCallId)
  return part !== undefined && isToolPart(part) && completedOutput(part) !== undefined ? part : null
}
