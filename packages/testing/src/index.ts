export { PROVED_COMMANDS, PROVED_GIT } from '../../core/src/permission/bash/proved-commands.ts'
export { READING_COMMANDS } from '../../core/src/permission/bash/reading-commands.ts'
export { evaluate } from '../../core/src/permission/evaluate.ts'
export { readingVariables } from '../../core/src/tool/bash/reading-variables.ts'
export { requireCommand } from '../../core/src/tool/bash/require-command.ts'
export { readTool } from '../../core/src/tool/read.ts'
export { createTaskTool } from '../../core/src/tool/task.ts'
export { defineTool } from '../../core/src/tool/tool.ts'
export { DAILY_READS } from './bash/lines.ts'
export { blobsContract } from './blobs-contract.ts'
export { type CoreLab, openCoreLab, silentLogger } from './core-lab.ts'
export { createFakeClock } from './fake-clock.ts'
export { findTool } from './find-tool.ts'
export { type Command, carryOut, KINDS } from './history-model/commands.ts'
export { type ModelWorld, openModelWorld } from './history-model/model-world.ts'
export { IDLE_HOOK } from './idle-hook.ts'
export { createLabModels, LAB_MODEL } from './lab-models.ts'
export { createLabProviders } from './lab-providers.ts'
export { createMemoryBlobs } from './memory-blobs.ts'
export { createMemoryFiles } from './memory-files.ts'
export { createMemorySnapshots } from './memory-snapshots.ts'
export { createMemoryStore } from './memory-store/memory-store.ts'
export { createMemoryTables } from './memory-store/tables.ts'
export { createMemoryVault } from './memory-vault.ts'
export { createMemoryDemoFolder, createMemoryWorkspaces } from './memory-workspaces.ts'
export { randomChunks } from './random-chunks.ts'
export { createScriptedMcp, mcpTool } from './scripted-mcp.ts'
export { createScriptedProcesses, wrapNothing } from './scripted-processes.ts'
export {
  type ProviderRequest,
  type ScriptedProvider,
  startScriptedProvider,
} from './scripted-provider.ts'
export {
  deltas,
  failure,
  type ReplyScript,
  reply,
  type ScriptedReply,
  type ScriptedToolCall,
} from './scripted-provider-reply.ts'
export { type FileTree, snapshotsContract } from './snapshots-contract.ts'
export type { StoreFixture } from './store-contract/fixtures.ts'
export {
  asks,
  branchOf,
  compaction,
  exported,
  fires,
  given,
  lease,
  newSession,
  planned,
  removeSession,
  replyWrite,
  turn,
  userMessage,
} from './store-contract/fixtures.ts'
export { storeContract } from './store-contract/store-contract.ts'
export { toolRuntime } from './tool-runtime.ts'
