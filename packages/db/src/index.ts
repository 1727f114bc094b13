export { backupStore } from './backup.ts'
export { createFileBlobs } from './blobs/file-blobs.ts'
export { DEFAULT_DATABASE_URL, databasePath } from './connect/database-url.ts'
export { type OpenStoreOptions, openStore } from './open-store.ts'
