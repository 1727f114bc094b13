import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type FrameDocument, frameDocument } from './frame-document.ts'

/**
 * Draws diagrams one after the other for the page that embeds it. A request is `{ id, source, settings, font }`, an
 * answer `{ id, svg }`, with null for a source that can't be drawn. Labels are measured in the font that comes with the
 * first request, `{ family, bytes }`, or else in one of the system's. Every setting that mermaid has is secured, so that no source
 * changes one.
 */
const DRAW = `
const { mermaid } = globalThis
const defaults = mermaid.mermaidAPI.defaultConfig
let turn = Promise.resolve()
let face = null
function loadFace({ family, bytes }) {
  const loaded = new FontFace(family, bytes, { weight: '100 900' })
  document.fonts.add(loaded)
  return loaded.load().catch(() => document.fonts.delete(loaded))
}
async function draw({ id, source, settings, font }) {
  let svg = null
  try {
    if (font) await (face ??= loadFace(font))
    mermaid.initialize({
      ...settings,
      startOnLoad: false,
      suppressErrorRendering: true,
      securityLevel: 'strict',
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      class: { htmlLabels: false },
      secure: [...new Set([...Object.keys(defaults), 'secure', 'themeCSS', 'themeVariables', 'fontFamily', 'elk'])],
    })
    svg = (await mermaid.render('diagram-' + id, source)).svg
  } catch {}
  parent.postMessage({ id, svg }, '*')
}
addEventListener('message', ({ source, data }) => {
  if (source === parent) turn = turn.then(() => draw(data))
})
parent.postMessage({ ready: true }, '*')
`

const STYLE = 'body{margin:0;width:1200px}'

let document: Promise<FrameDocument> | null = null

/** The frame in which diagrams are drawn; the same for every page, so it is built once. */
export function diagramFrame(): Promise<FrameDocument> {
  document ??= build()
  return document
}

async function build(): Promise<FrameDocument> {
  const path = fileURLToPath(import.meta.resolve('mermaid/dist/mermaid.min.js'))
  const mermaid = await readFile(path, 'utf8')
  return frameDocument({ style: STYLE, body: '', scripts: [mermaid, DRAW], images: 'data:' })
}
