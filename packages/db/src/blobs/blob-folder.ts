import { join } from 'node:path'

/** The folder beside a database file that keeps its blobs, with its paths: a hash is in a folder of its first two digits. */
export function blobFolder(databaseFile: string) {
  const root = `${databaseFile}.blobs`
  return {
    root,
    hashes: join(root, 'sha256'),
    uploads: join(root, 'uploads'),
    folderOf: (hash: string) => join(root, 'sha256', hash.slice(0, 2)),
    pathOf: (hash: string) => join(root, 'sha256', hash.slice(0, 2), hash),
  }
}

export type BlobFolder = ReturnType<typeof blobFolder>
