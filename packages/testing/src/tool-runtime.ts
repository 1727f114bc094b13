import { blobPart } from '../../core/src/domain/files/blob.ts'
import { sha256 } from '../../core/src/domain/values/sha256.ts'
import { createRunMemories } from '../../core/src/run/run-memories.ts'
import type { RunSkills, ToolRuntime } from '../../core/src/tool/tool.ts'
import { createFakeClock } from './fake-clock.ts'
import { createMemoryFiles } from './memory-files.ts'
import { createMemoryMemories } from './memory-store/memories.ts'
import { createMemoryTables } from './memory-store/tables.ts'

const RUN = { sessionId: 'ses_1', messageId: 'msg_1', question: null }

/** No skills at all. */
export const NO_SKILLS: RunSkills = {
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
    permitted: 'all',
    shown: null,
    workspaceRoot: '/w',
    files: createMemoryFiles(),
    web: null,
    pdf: null,
    shell: null,
    webSearch: null,
    recall: () => Promise.resolve([]),
    memories: createRunMemories(RUN, '/w', {
      memories: createMemoryMemories(createMemoryTables()),
      clock: createFakeClock(),
    }),
    seen: () => null,
    skills: NO_SKILLS,
    resumed: null,
    signal: new AbortController().signal,
    clock: createFakeClock(),
    keepFile: async (bytes, file) =>
      blobPart(
        { type: 'file', url: '', ...file },
        { hash: await sha256(new Uint8Array(bytes)), size: bytes.length },
      ),
    readOutput: () => Promise.resolve(null),
    progress() {},
    ...over,
  }
}
