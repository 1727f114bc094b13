import { createHash } from 'node:crypto'

export type FrameContent = {
  style: string
  /** HTML between the style and the scripts. */
  body: string
  scripts: readonly string[]
  /** Origins of images: a source list of a Content-Security-Policy. */
  images: string
}

export type FrameDocument = { html: string; policy: string }

/**
 * A document for a sandboxed frame of our own pages. Its policy allows its own inline scripts by their digests, its
 * images, and nothing else: it can send no other request, and its opaque origin can read nothing of ours.
 */
export function frameDocument({ style, body, scripts, images }: FrameContent): FrameDocument {
  const inline = scripts.map(inScript)
  const policy = [
    "default-src 'none'",
    `script-src ${inline.map((script) => `'sha256-${digest(script)}'`).join(' ')}`,
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ')
  const elements = inline.map((script) => `<script>${script}</script>`).join('')
  const html = `<!doctype html><html><head><meta charset="utf-8"><style>${style}</style></head><body>${body}${elements}</body></html>`
  return { html, policy }
}

/** A script as it may appear in HTML: no text inside a string or expression ends or escapes the element. */
function inScript(script: string): string {
  return script.replace(/<(\/script|script|!--)/gi, '\\x3c$1')
}

function digest(script: string): string {
  return createHash('sha256').update(script).digest('base64')
}
