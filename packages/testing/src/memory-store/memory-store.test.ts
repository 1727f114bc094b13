import { storeContract } from '../store-contract/store-contract.ts'
import { createMemoryStore } from './memory-store.ts'
import { createMemoryTables } from './tables.ts'

storeContract('memory store', () => {
  const tables = createMemoryTables()
  return Promise.resolve({
    store: createMemoryStore(tables),
    restart: () => Promise.resolve(createMemoryStore(tables)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  })
})
