import { createMemorySnapshots } from './memory-snapshots.ts'
import { snapshotsContract } from './snapshots-contract.ts'

snapshotsContract('memory snapshots', () => {
  const snapshots = createMemorySnapshots()
  const files = snapshots.filesOf('/root')
  return Promise.resolve({
    snapshots,
    root: '/root',
    write(next) {
      files.clear()
      for (const [path, text] of Object.entries(next)) files.set(path, text)
      return Promise.resolve()
    },
    read: () => Promise.resolve(Object.fromEntries(files)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  })
})
