export { createMemoryStore } from './memory-store/memory-store.ts'
export { createMemoryTables, type MemoryTables } from './memory-store/tables.ts'
