import { storeContract } from '@palimpsest/core/testing'
import { temporaryStore } from './testing/temporary-store.ts'

storeContract('SQLite store', temporaryStore)
