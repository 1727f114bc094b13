import { fileURLToPath } from 'node:url'
import { compressFolder } from './compress-folder.ts'

await compressFolder(fileURLToPath(new URL('../.next/static', import.meta.url)))
