import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Colour = { rgb: [number, number, number]; alpha: number }

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

/** OKLCH to linear sRGB, by the matrices of CSS Color 4. */
function parseColour(text: string): Colour {
  const [l = 0, c = 0, h = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number)
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const rgb: Colour['rgb'] = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
  return { rgb: [clamp(rgb[0]), clamp(rgb[1]), clamp(rgb[2])], alpha }
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

/** A token of one theme: 0 is light, 1 dark. */
function token(name: string, theme: 0 | 1): Colour {
  return parseColour(tokenText(name, theme))
}

/** Its hue in degrees. */
function hue(name: string, theme: 0 | 1): number {
  return Number(tokenText(name, theme).match(/[\d.]+/g)?.[2])
}

function tokenText(name: string, theme: 0 | 1): string {
  const value = new RegExp(`--${name}: (?:light-dark\\((.+?\\)), (.+?\\))\\)|(oklch.+?\\)));`).exec(css)
  const text = value?.[3] ?? value?.[theme + 1]
  if (text === undefined) throw new Error(`tokens.css names no colour ${name}.`)
  return text
}

const encode = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055)
const decode = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** Lays one colour over another, as a browser does: in encoded sRGB. */
function over(top: Colour, bottom: Colour): Colour {
  const mix = (at: 0 | 1 | 2) =>
    decode(encode(top.rgb[at]) * top.alpha + encode(bottom.rgb[at]) * (1 - top.alpha))
  return { rgb: [mix(0), mix(1), mix(2)], alpha: 1 }
}

const luminance = ({ rgb: [r, g, b] }: Colour) => 0.2126 * r + 0.7152 * g + 0.0722 * b

function contrast(a: Colour, b: Colour): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const TEXTS = ['ink', 'ink-muted', 'ink-faint', 'rubric', 'caution', 'danger', 'good']
const SURFACES = ['paper', 'paper-sunken', 'paper-raised']
const SYNTAX = ['keyword', 'string', 'function', 'constant', 'parameter', 'comment', 'punctuation']

for (const [theme, name] of [
  [0, 'light'],
  [1, 'dark'],
] as const) {
  test.each(SURFACES.flatMap((surface) => TEXTS.map((text) => ({ text, surface }))))(
    `UI-23 $text reads on $surface in the ${name} theme`,
    ({ text, surface }) => {
      expect(contrast(token(text, theme), token(surface, theme))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each(SYNTAX)(`UI-23 the ${name} theme's %s of code reads`, (kind) => {
    expect(contrast(token(`syntax-${kind}`, theme), token('paper-raised', theme))).toBeGreaterThanOrEqual(4.5)
  })

  test(`UI-23 faint text reads on rows that are pointed at or chosen in the ${name} theme`, () => {
    for (const surface of SURFACES) {
      const row = over(token('wash-strong', theme), token(surface, theme))
      expect(contrast(token('ink-muted', theme), row)).toBeGreaterThanOrEqual(4.5)
      expect(
        contrast(token('ink-faint', theme), over(token('wash', theme), token(surface, theme))),
      ).toBeGreaterThanOrEqual(4.5)
    }
  })

  test(`UI-23 labels read on filled buttons and notices in the ${name} theme`, () => {
    expect(contrast(token('danger-ink', theme), token('danger-fill', theme))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token('ink-inverse', theme), token('ink', theme))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token('ink-muted', theme), token('danger-wash', theme))).toBeGreaterThanOrEqual(4.5)
  })

  test(`UI-23 the focus ring has contrast with every surface of the ${name} theme`, () => {
    for (const surface of SURFACES) {
      expect(contrast(token('focus', theme), token(surface, theme))).toBeGreaterThanOrEqual(3)
    }
  })
}

for (const [theme, name] of [
  [0, 'light'],
  [1, 'dark'],
] as const) {
  test(`UI-23 a selected segment is lighter than its track in the ${name} theme, and its label reads`, () => {
    for (const surface of SURFACES) {
      const track = over(token('wash', theme), token(surface, theme))
      expect(luminance(token('segment', theme))).toBeGreaterThan(luminance(track))
    }
    expect(contrast(token('ink', theme), token('segment', theme))).toBeGreaterThanOrEqual(4.5)
  })

  test(`UI-11 errors have a red of their own in the ${name} theme, apart from the colour of history`, () => {
    expect(Math.abs(hue('danger', theme) - hue('rubric', theme))).toBeGreaterThan(20)
  })
}

test('UI-24 controls are 44 px high for fingers', () => {
  const coarse = /@media \(pointer: coarse\), \(width < 48rem\) \{([\s\S]+?)\n\}/.exec(css)?.[1]
  expect(coarse).toContain('--control: 2.75rem')
  expect(coarse).toContain('--control-small: 2.75rem')
})

test('UI-23 nothing moves when less motion is asked for', () => {
  const reduced = /prefers-reduced-motion: reduce\) \{([\s\S]+?)\n\}/.exec(css)?.[1] ?? ''
  expect(reduced.match(/--duration-\w+: 0ms/g)).toHaveLength(3)
})

test.each(['surfaces.css', 'history.css'])('UI-23 the last rule on animation in %s turns it off', (file) => {
  const sheet = readFileSync(join(import.meta.dirname, file), 'utf8')
  const moving = [...sheet.matchAll(/^ {2}(\.[\w-]+) \{[^}]*\banimation: (?!none)/gm)]
  expect(moving.length).toBeGreaterThan(0)
  for (const { 1: selector = '', index } of moving) {
    const after = [...sheet.slice(index).matchAll(/prefers-reduced-motion: reduce\) \{([\s\S]+?)\n {2}\}/g)]
    expect(after.some(([, block]) => block?.includes(selector))).toBe(true)
  }
})
