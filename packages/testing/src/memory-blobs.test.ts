import { blobsContract } from './blobs-contract.ts'
import { createMemoryBlobs, type MemoryBlobContent } from './memory-blobs.ts'

blobsContract('memory blobs', (clock) => {
  const content: MemoryBlobContent = { uploads: new Map(), blobs: new Map() }
  return Promise.resolve({
    blobs: createMemoryBlobs(clock, content),
    restart: () => Promise.resolve(createMemoryBlobs(clock, content)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  })
})
