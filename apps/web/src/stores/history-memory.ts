import type { SlashCommand } from '@palimpsest/ui'
import { createPlaces, type Places } from '../session/places.ts'
import type { KeyValueStorage } from '../state/browser-storage.ts'
import { readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

/** The open elements of a session's history; survives a reload. */
export type HistoryView = {
  /** The message of theirs that is being edited. */
  readonly editing: string | null
  /** Operations whose hidden messages are shown. */
  readonly revealed: readonly string[]
  /** Open summaries, by the id of their message. */
  readonly opened: readonly string[]
  readonly panel: 'timeline' | 'changes' | 'side' | null
  /** The session of the side question. */
  readonly side: string | null
  /** The operation whose tray was dismissed. */
  readonly dismissed: string | null
}

/** A history command by name: a slash command and an entry of the palette. */
export type HistoryCommand = SlashCommand & { run: () => void }

export type HistoryMemory = {
  of(sessionId: string): Store<HistoryView>
  /** The reader's position in each session. */
  readonly places: Places
  /** The last move from one version to another. */
  readonly arrival: Store<{ from: string; to: string } | null>
  /** The history commands of the open session. */
  readonly commands: Store<readonly HistoryCommand[]>
}

export const CLOSED_VIEW: HistoryView = {
  editing: null,
  revealed: [],
  opened: [],
  panel: null,
  side: null,
  dismissed: null,
}

/** Open elements are kept in `storage`, positions in that of the tab. */
export function createHistoryMemory(storage: KeyValueStorage, tabStorage: KeyValueStorage): HistoryMemory {
  const views = new Map<string, Store<HistoryView>>()

  function open(sessionId: string): Store<HistoryView> {
    const key = `palimpsest.history.${sessionId}`
    const store = createStore(CLOSED_VIEW)
    const stored = readView(readStored(storage, key))
    if (stored !== null) store.set(stored)
    store.subscribe(() => {
      const view = store.get()
      writeStored(storage, key, isClosed(view) ? null : view)
    })
    return store
  }

  return {
    of(sessionId) {
      const store = views.get(sessionId) ?? open(sessionId)
      views.set(sessionId, store)
      return store
    },
    places: createPlaces(tabStorage),
    arrival: createStore<{ from: string; to: string } | null>(null),
    commands: createStore<readonly HistoryCommand[]>([]),
  }
}

function isClosed({ editing, revealed, opened, panel, side, dismissed }: HistoryView): boolean {
  const lists = revealed.length + opened.length
  return editing === null && lists === 0 && panel === null && side === null && dismissed === null
}

/** Storage holds what this page wrote, or what an older one left there. */
function readView(value: unknown): HistoryView | null {
  if (typeof value !== 'object' || value === null) return null
  const fields = new Map<string, unknown>(Object.entries(value))
  const text = (key: string) => {
    const field = fields.get(key)
    return typeof field === 'string' ? field : null
  }
  const list = (key: string) => {
    const field = fields.get(key)
    return Array.isArray(field) ? field.filter((id) => typeof id === 'string') : []
  }
  const panel = text('panel')
  return {
    editing: text('editing'),
    revealed: list('revealed'),
    opened: list('opened'),
    panel: panel === 'timeline' || panel === 'changes' || panel === 'side' ? panel : null,
    side: text('side'),
    dismissed: text('dismissed'),
  }
}
