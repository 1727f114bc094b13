import { createContext, use } from 'react'
import { subagentOf, type ToolPart, type ToolState, toolState } from './tool-part.ts'

const WaitingCallsContext = createContext<ReadonlySet<string>>(new Set())

/** Sets what waits for the person in a thread: ids of calls that ask while they run, and of sessions of subagents that do. */
export const WaitingCallsProvider = WaitingCallsContext.Provider

/** Returns the state of any call of the thread. One that asks while it runs waits for the person. */
export function useToolStates(live: boolean): (part: ToolPart) => ToolState {
  const waiting = use(WaitingCallsContext)
  return (part) => {
    const state = toolState(part, live)
    if (state !== 'running') return state
    return waiting.has(part.toolCallId) || waiting.has(subagentOf(part) ?? '') ? 'waiting' : 'running'
  }
}
