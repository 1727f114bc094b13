/** Front matter at the start of a source, and the text between its marks. */
const FRONT_MATTER = /^\s*-{3,}[ \t]*\n(?:([\s\S]*?)\n)?[ \t]*-{3,}[ \t]*(?:\n|$)/
const TITLE = /^[ \t]*title[ \t]*:[ \t]*(.+)$/m
/** Statements that hold styles of CSS. */
const STYLES = /^[ \t]*(?:style|classDef|linkStyle|class|cssClass|Update\w*Style)\b.*$/gim
/** What a style can fetch by, directly or behind an escape. */
const FETCHES = /url|import|image|src|\\|\/\//i
/** The image of a shape: `img: "https://…"`. */
const SHAPE_IMAGE = /(["']?)\bimg\1[ \t]*:[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^,}\n]*),?/gi

/** HTML in a label, but for line breaks; `<<annotation>>` is mermaid's own. */
const MARKUP = /<<[\w -]+>>|<br\s*\/?>|<(?=[a-z!/?])/gi

/**
 * A mermaid source without what could configure or fetch: directives, front matter but for its title, images of shapes,
 * styles with addresses, HTML. The frame that renders it blocks every request as well.
 */
export function cleanDiagram(source: string): string {
  let text = withoutDirectives(source.replace(/\r\n?/g, '\n'))
  let title: string | undefined
  for (let front = FRONT_MATTER.exec(text); front !== null; front = FRONT_MATTER.exec(text)) {
    title ??= TITLE.exec(front[1] ?? '')?.[1]
    text = text.slice(front[0].length)
  }
  const plain = text
    .replace(STYLES, (line) => (FETCHES.test(line) ? '' : line))
    .replace(/url\s*\(/gi, 'url ')
    .replace(/@import/gi, '')
    .replace(MARKUP, (found) => (found === '<' ? '#lt;' : found))
  // Shapes are YAML, in which a key can be written with escapes.
  const drawn = plain.includes('@{') ? plain.replaceAll('\\', '').replace(SHAPE_IMAGE, '') : plain
  return title === undefined ? drawn : `---\ntitle: ${JSON.stringify(unquoted(title))}\n---\n${drawn}`
}

/** Each `%%{ … }%%` becomes a line break, so that the text around it forms no new one; an open one reaches to the end. */
function withoutDirectives(text: string): string {
  let rest = text
  let kept = ''
  for (let start = rest.indexOf('%%{'); start >= 0; start = rest.indexOf('%%{')) {
    const end = rest.indexOf('}%%', start)
    kept += `${rest.slice(0, start)}\n`
    rest = end < 0 ? '' : rest.slice(end + 3)
  }
  return kept + rest
}

function unquoted(title: string): string {
  return title.trim().replace(/^(["'])(.*)\1$/, '$2')
}
