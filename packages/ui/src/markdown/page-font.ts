/** The face of the page's controls, with its bytes: frames and images can fetch none. */
export type PageFont = { family: string; bytes: ArrayBuffer }

/** Covers Latin letters, as one of the ranges that the face is split into. */
const LATIN = /U\+0{0,4}-0{0,2}FF\b/i

let loading: Promise<PageFont | null> | null = null

/** Reads the page's plain face once; null where the page has none of its own. */
export function pageFont(): Promise<PageFont | null> {
  loading ??= load().catch(() => null)
  return loading
}

/** An SVG that carries the face that its labels were measured in. */
export function withPageFont(svg: string, { family, bytes }: PageFont): string {
  const data = btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
  const rule = `@font-face{font-family:"${family}";font-weight:100 900;src:url(data:font/woff2;base64,${data})}`
  return svg.replace(/<svg[^>]*>/, (tag) => `${tag}<style>${rule}</style>`)
}

async function load(): Promise<PageFont | null> {
  const plain = getComputedStyle(document.documentElement).getPropertyValue('--font-plain')
  const family = plain.split(',')[0]?.trim().replaceAll(/["']/g, '') ?? ''
  const rules = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].map((rule) => ({ rule, sheet })),
  )
  for (const { rule, sheet } of rules) {
    if (!(rule instanceof CSSFontFaceRule)) continue
    const { style } = rule
    if (!style.getPropertyValue('font-family').includes(family)) continue
    if (!LATIN.test(style.getPropertyValue('unicode-range'))) continue
    const source = /url\(["']?(?<url>[^"')]+)/.exec(style.getPropertyValue('src'))?.groups?.['url']
    if (source === undefined) continue
    const answer = await fetch(new URL(source, sheet.href ?? document.baseURI))
    if (answer.ok) return { family, bytes: await answer.arrayBuffer() }
  }
  return null
}
