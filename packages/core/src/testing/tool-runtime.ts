import type { SkillShelf, ToolRuntime } from '../tool/tool.ts'
import { createFakeClock } from './fake-clock.ts'
import { createMemoryFiles } from './memory-files.ts'

/** No skills at all. */
export const NO_SKILLS: SkillShelf = {
  names: [],
  isLoaded: () => false,
  load: () => Promise.resolve({ type: 'refused', why: 'It is gone.' }),
}

/** What a tool may reach in a workspace `/w` without files, shell and web, but for what is given. */
export function toolRuntime(over: Partial<ToolRuntime> = {}): ToolRuntime {
  return {
    sessionId: 'ses_1',
    toolCallId: 'call_1',
    answers: [],
    shown: null,
    workspaceRoot: '/w',
    files: createMemoryFiles(),
    web: null,
    shell: null,
    seen: () => null,
    skills: NO_SKILLS,
    signal: new AbortController().signal,
    clock: createFakeClock(),
    progress() {},
    ...over,
  }
}
