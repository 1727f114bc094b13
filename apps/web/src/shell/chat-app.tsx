'use client'

import type { Theme } from '@palimpsest/ui'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { createApp } from '../stores/app.ts'
import { AppProvider } from '../stores/app-context.tsx'
import type { Language } from '../stores/language-choice.ts'
import { Localised } from './localised.tsx'
import { Workspace } from './workspace.tsx'

export type ChatAppProps = {
  theme: Theme
  sidebarCollapsed: boolean
  language: Language
  children: ReactNode
}

/** The whole chat; `children` is what a page adds to it, such as nothing. */
export function ChatApp({ theme, sidebarCollapsed, language, children }: ChatAppProps) {
  const path = usePathname()
  const [app] = useState(() => createApp(path, undefined, language))
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false } } }),
  )
  useEffect(() => app.start(), [app])
  return (
    <AppProvider value={app}>
      <QueryClientProvider client={queries}>
        <Localised>
          <Workspace initialTheme={theme} initiallyCollapsed={sidebarCollapsed} />
        </Localised>
        {children}
      </QueryClientProvider>
    </AppProvider>
  )
}
