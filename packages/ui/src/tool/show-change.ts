import { createContext, use } from 'react'

const ShowChangeContext = createContext<((path: string) => void) | null>(null)

/** Sets what shows a file, as a call of the thread has changed it, among all changes of the chat. */
export const ShowChangeProvider = ShowChangeContext.Provider

/** Null where there is no list of changes. */
export function useShowChange(): ((path: string) => void) | null {
  return use(ShowChangeContext)
}
