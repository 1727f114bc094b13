import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type FrameDocument, frameDocument } from './frame-document.ts'

/**
 * Draws diagrams one after the other for the page that embeds it. A request is `{ id, source, settings }`, an answer
 * `{ id, svg }`, with null for a source that can't be drawn. Every setting that mermaid has is secured, so that no source
 * changes one.
 */
const DRAW = `
const { mermaid } = globalThis
const defaults = mermaid.mermaidAPI.defaultConfig
let turn = Promise.resolve()
async function draw({ id, source, settings }) {
  let svg = null
  try {
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
