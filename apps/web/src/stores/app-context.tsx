import { createContext, use } from 'react'
import type { App } from './app.ts'

const AppContext = createContext<App | null>(null)

export const AppProvider = AppContext.Provider

/** The tab's `App`; only inside `AppProvider`. */
export function useApp(): App {
  const app = use(AppContext)
  if (app === null) throw new Error('This component has to be inside of the chat.')
  return app
}
