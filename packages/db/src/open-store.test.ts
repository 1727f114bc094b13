import { storeContract } from '@palimpsest/testing'
import { temporaryStore } from './testing/temporary-store.ts'

storeContract('SQLite store', temporaryStore)
