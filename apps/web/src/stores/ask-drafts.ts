import { type AskDraft, EMPTY_ASK_DRAFT } from '@palimpsest/ui'
import type { KeyValueStorage } from '../state/browser-storage.ts'
import { readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

/** What was entered about requests of runs and not sent, by the id of the request; survives a reload. */
export type AskDrafts = {
  of(askId: string): Store<AskDraft>
  /** Throws away what was entered about a request that is over. */
  forget(askId: string): void
}

const keyOf = (askId: string) => `palimpsest.ask.${askId}`

export function createAskDrafts(storage: KeyValueStorage): AskDrafts {
  const open = new Map<string, Store<AskDraft>>()

  function load(askId: string): Store<AskDraft> {
    const store = createStore(EMPTY_ASK_DRAFT)
    const stored = readDraft(readStored(storage, keyOf(askId)))
    if (stored !== null) store.set(stored)
    store.subscribe(() => {
      if (open.get(askId) === store) writeStored(storage, keyOf(askId), store.get())
    })
    return store
  }

  return {
    of(askId) {
      const store = open.get(askId) ?? load(askId)
      open.set(askId, store)
      return store
    },
    forget(askId) {
      open.delete(askId)
      writeStored(storage, keyOf(askId), null)
    },
  }
}

/** Storage holds what this page wrote, or what somebody else left there. */
function readDraft(value: unknown): AskDraft | null {
  const { reason, pattern, answers } = fieldsOf(value)
  if (typeof reason !== 'string' || !Array.isArray(answers)) return null
  return { reason, ...(typeof pattern === 'string' && { pattern }), answers: answers.map(readAnswer) }
}

function readAnswer(value: unknown): AskDraft['answers'][number] {
  const { chosen, own, isOwn } = fieldsOf(value)
  return {
    chosen: Array.isArray(chosen) ? chosen.filter((option) => typeof option === 'number') : [],
    own: typeof own === 'string' ? own : '',
    isOwn: isOwn === true,
  }
}

function fieldsOf(value: unknown): {
  [name in 'reason' | 'pattern' | keyof AskDraft['answers'][number]]?: unknown
} & {
  answers?: unknown
} {
  return typeof value === 'object' && value !== null ? value : {}
}
