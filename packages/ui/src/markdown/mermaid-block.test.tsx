// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { MermaidBlock } from './mermaid-block.tsx'

const draw = vi.hoisted(() => vi.fn<(source: string, dark: boolean) => Promise<string>>())
vi.mock('./draw-diagram.ts', () => ({ drawDiagram: draw }))

/** Brings whatever is watched into view. */
let comeIntoView: () => void

beforeEach(() => {
  const watched = new Set<(entries: { isIntersecting: boolean }[]) => void>()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #tell: (entries: { isIntersecting: boolean }[]) => void
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.#tell = tell
      }
      observe() {
        watched.add(this.#tell)
      }
      disconnect() {
        watched.delete(this.#tell)
      }
    },
  )
  comeIntoView = () => {
    for (const tell of watched) tell([{ isIntersecting: true }])
  }
})
afterEach(() => {
  vi.unstubAllGlobals()
  draw.mockReset()
})

const drawnSource = (page: ReturnType<typeof show>) =>
  page.getByRole('img', { name: 'Diagram' }).getAttribute('src')

test('UI-6 a diagram is drawn once it comes into view, and not before', async () => {
  draw.mockResolvedValue('<svg>a leaf</svg>')
  using page = show(<MermaidBlock source="flowchart LR; into --> view" />)
  expect(page.queryByRole('img')).toBeNull()
  expect(draw).not.toHaveBeenCalled()
  act(comeIntoView)
  await vi.waitFor(() => expect(decodeURIComponent(drawnSource(page) ?? '')).toContain('<svg>a leaf</svg>'))
})

test('SX-3 a diagram is an image, which can run nothing', async () => {
  draw.mockResolvedValue('<svg><script>alert(1)</script></svg>')
  using page = show(<MermaidBlock source="flowchart LR; strict --> rules" />)
  act(comeIntoView)
  await vi.waitFor(() => expect(drawnSource(page)).toMatch(/^data:image\/svg\+xml/))
  expect(page.container.querySelector('svg script')).toBeNull()
})

test('UI-6 the source of a diagram is one press away, and so is the way back', async () => {
  draw.mockResolvedValue('<svg/>')
  using page = show(<MermaidBlock source="flowchart LR; there --> back" />)
  act(comeIntoView)
  await page.findByRole('img', { name: 'Diagram' })
  fireEvent.click(page.getByRole('button', { name: 'Show source' }))
  expect(page.getByRole('figure', { name: 'Code, mermaid' }).textContent).toContain('there --> back')
  fireEvent.click(page.getByRole('button', { name: 'Show diagram' }))
  expect(page.getByRole('img', { name: 'Diagram' })).toBeTruthy()
})

test('UI-6 a diagram that can’t be drawn is shown as its source, and says so', async () => {
  draw.mockRejectedValue(new Error('Parse error'))
  using page = show(<MermaidBlock source="flowchart ?? broken" />)
  act(comeIntoView)
  await page.findByText('This diagram can’t be drawn.')
  expect(page.getByRole('figure', { name: 'Code, mermaid' }).textContent).toContain('flowchart ?? broken')
  expect(page.queryByRole('button', { name: 'Show diagram' })).toBeNull()
})

test('UI-6 a diagram that was drawn before is there at once, in the view or not', async () => {
  draw.mockResolvedValue('<svg>again</svg>')
  const source = 'flowchart LR; seen --> again'
  using first = show(<MermaidBlock source={source} />)
  act(comeIntoView)
  await first.findByRole('img', { name: 'Diagram' })
  using second = show(<MermaidBlock source={source} />)
  expect(second.getAllByRole('img', { name: 'Diagram' }).length).toBeGreaterThan(0)
  expect(draw).toHaveBeenCalledOnce()
})

test('UI-6 a diagram whose source changes while it is drawn ends as the last one', async () => {
  const early = Promise.withResolvers<string>()
  draw.mockReturnValueOnce(early.promise).mockResolvedValueOnce('<svg>late</svg>')
  using page = show(<MermaidBlock source="flowchart LR; early" />)
  act(comeIntoView)
  await vi.waitFor(() => expect(draw).toHaveBeenCalledOnce())
  page.rerender(<MermaidBlock source="flowchart LR; late" />)
  await vi.waitFor(() => expect(drawnSource(page)).toContain('late'))
  await act(async () => early.resolve('<svg>early</svg>'))
  expect(drawnSource(page)).toContain('late')
})
