/** Mermaid's names for the tokens that they take. */
const VARIABLES = {
  primaryColor: '--paper-inset',
  primaryTextColor: '--ink',
  primaryBorderColor: '--ink-ghost',
  secondaryColor: '--paper-sunken',
  tertiaryColor: '--paper',
  lineColor: '--ink-faint',
  textColor: '--ink',
  edgeLabelBackground: '--paper-raised',
  background: '--paper-raised',
} as const

/** The page's colours for a diagram, as `rgb()`, which is all that Mermaid reads. */
export function diagramColours(dark: boolean): Record<string, string | boolean> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const brush = canvas.getContext('2d', { willReadFrequently: true })
  const probe = document.body.appendChild(document.createElement('span'))
  const colours: Record<string, string | boolean> = { darkMode: dark }
  for (const [name, token] of Object.entries(VARIABLES)) {
    if (!brush) break
    probe.style.color = `var(${token})`
    brush.fillStyle = getComputedStyle(probe).color
    brush.fillRect(0, 0, 1, 1)
    const [red, green, blue] = brush.getImageData(0, 0, 1, 1).data
    colours[name] = `rgb(${red}, ${green}, ${blue})`
  }
  probe.remove()
  return colours
}
