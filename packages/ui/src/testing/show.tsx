import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, vi } from 'vitest'
import { modelPanel } from '../model/model-picker.tsx'
import { popupLayers } from '../popups/popup-layers.ts'

export type Shown = ReturnType<typeof render> & Disposable

// A page that has been touched has what opens over it.
beforeAll(async () => {
  popupLayers.load()
  modelPanel.load()
  await vi.waitUntil(() => popupLayers.get() && modelPanel.get(), { timeout: 20_000 })
}, 25_000)

/** Draws an element on an otherwise empty page until the end of the block: `using page = show(<Thing />)`. */
export function show(element: ReactNode): Shown {
  const page = render(element)
  return Object.assign(page, {
    [Symbol.dispose]() {
      page.unmount()
      document.body.replaceChildren()
    },
  })
}
