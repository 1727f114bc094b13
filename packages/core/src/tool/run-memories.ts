import type { Memory, MemoryLine, MemoryScope, MemoryText } from '../domain/settings/memory.ts'

/** The memories that a run may reach: those of the user, and of its workspace. */
export interface RunMemories {
  /** The accepted ones, in order of scope and name. */
  index(): Promise<MemoryLine[]>
  /** Null when there is no accepted memory of this name. */
  read(scope: MemoryScope, name: string): Promise<Memory | null>
  /** Writes a memory whose origin is the run's question, over the one of its name. */
  write(scope: MemoryScope, text: MemoryText): Promise<Memory>
  /** False when there is none of this name. */
  remove(scope: MemoryScope, name: string): Promise<boolean>
}
