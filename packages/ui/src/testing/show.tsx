import { render } from '@testing-library/react'
import type { ReactNode } from 'react'

export type Shown = ReturnType<typeof render> & Disposable

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
