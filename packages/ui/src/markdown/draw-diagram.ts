import { cleanDiagram } from './clean-diagram.ts'
import { diagramColours } from './diagram-colours.ts'
import { type PageFont, pageFont, withPageFont } from './page-font.ts'

/** Characters of a source that is still drawn. */
const SOURCE_CHARACTERS = 50_000
/** Characters of a drawing that is still shown. */
const DRAWING_CHARACTERS = 4_000_000
/** Milliseconds until a frame that has not loaded, or a drawing that has not come, is given up. */
const LOAD_MS = 60_000
const DRAW_MS = 15_000

/** The server's document for it: an opaque origin, and a policy that lets no request out. */
const FRAME_PATH = '/frames/diagram'

type Answer = { ready: true } | { id: number; svg: string | null }
type Drawer = { draw(source: string, settings: object, font: PageFont | null): Promise<string> }

let drawer: Drawer | null = null

/**
 * Draws a mermaid source as SVG in a sandboxed frame, with labels in the page's own face; rejects when it is too long,
 * can't be drawn or takes too long.
 */
export async function drawDiagram(source: string, dark: boolean): Promise<string> {
  if (source.length > SOURCE_CHARACTERS) throw new Error('The diagram is too long.')
  const font = await pageFont()
  drawer ??= openDrawer()
  const settings = {
    theme: 'base',
    themeVariables: diagramColours(dark),
    fontFamily: `${font === null ? '' : `"${font.family}", `}system-ui, sans-serif`,
  }
  const svg = await drawer.draw(cleanDiagram(source), settings, font)
  return font === null ? svg : withPageFont(svg, font)
}

function openDrawer(): Drawer {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('aria-hidden', 'true')
  frame.inert = true
  frame.tabIndex = -1
  frame.title = ''
  frame.style.cssText =
    'position:fixed;left:-9999px;top:0;width:1200px;height:800px;border:0;visibility:hidden'
  frame.src = FRAME_PATH
  const waiting = new Map<number, PromiseWithResolvers<string>>()
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  let last = Promise.resolve()
  let asked = 0

  function close(): void {
    window.removeEventListener('message', receive)
    frame.remove()
    drawer = null
    const reason = new Error('The diagram took too long.')
    ready.reject(reason)
    for (const { reject } of waiting.values()) reject(reason)
  }

  function receive({ source, data }: MessageEvent<unknown>): void {
    if (source !== frame.contentWindow || !isAnswer(data)) return
    if ('ready' in data) {
      clearTimeout(loading)
      ready.resolve()
      return
    }
    const { id, svg } = data
    if (svg === null || svg.length > DRAWING_CHARACTERS)
      waiting.get(id)?.reject(new Error('It can’t be drawn.'))
    else waiting.get(id)?.resolve(svg)
  }

  async function drawNext(source: string, settings: object, font: PageFont | null): Promise<string> {
    await ready.promise
    const id = ++asked
    const answer = Promise.withResolvers<string>()
    waiting.set(id, answer)
    const timer = setTimeout(close, DRAW_MS)
    frame.contentWindow?.postMessage({ id, source, settings, font }, '*')
    try {
      return await answer.promise
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }

  const loading = setTimeout(close, LOAD_MS)
  window.addEventListener('message', receive)
  document.body.append(frame)
  return {
    draw(source, settings, font) {
      const drawing = last.then(() => drawNext(source, settings, font))
      last = drawing.then(
        () => undefined,
        () => undefined,
      )
      return drawing
    },
  }
}

function isAnswer(data: unknown): data is Answer {
  if (typeof data !== 'object' || data === null) return false
  if ('ready' in data) return data.ready === true
  const drawn = 'svg' in data && (data.svg === null || typeof data.svg === 'string')
  return drawn && 'id' in data && typeof data.id === 'number'
}
