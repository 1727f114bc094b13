import { createContext, use } from 'react'

/** The name of what shows a file among all changes of the chat, and what does it. */
export type ShowChange = { label: string; show: (path: string) => void }

const ShowChangeContext = createContext<ShowChange | null>(null)

/** Sets what shows a file that a call of the thread has changed. */
export const ShowChangeProvider = ShowChangeContext.Provider

/** Null where there is no list of changes. */
export function useShowChange(): ShowChange | null {
  return use(ShowChangeContext)
}
