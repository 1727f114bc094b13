import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanDiagram } from './clean-diagram.ts'

const FETCHING: [what: string, source: string][] = [
  ['a directive', '%%{init: {"themeCSS": "@import url(https://evil.example/a.css)"}}%%\nflowchart LR\nA-->B'],
  [
    'a directive over lines',
    '%%{\n  init: {"fontFamily":\n"x;}@import url(//evil.example)"}\n}%%\npie\n"a": 1',
  ],
  ['an open directive', 'flowchart LR\nA-->B\n%%{init: {"htmlLabels": true, "x": "evil.example"}'],
  ['front matter', '---\nconfig:\n  htmlLabels: true\n  themeCSS: evil.example\n---\nflowchart LR\nA-->B'],
  ['front matter behind a directive', '%%{a}%%\n---\nconfig:\n  x: evil.example\n---\nflowchart LR'],
  ['front matter twice', '---\na: b\n---\n---\nconfig:\n  x: evil.example\n---\nflowchart LR'],
  ['front matter with other line ends', '---\r\nconfig:\r\n  x: evil.example\r\n---\r\nflowchart LR'],
  ['the image of a shape', 'flowchart LR\nA@{ img: "https://evil.example/a.png", w: 60 }'],
  ['the quoted image of a shape', "flowchart LR\nA@{ 'img': 'https://evil.example/a.png' }"],
  ['a style', 'flowchart LR\nA-->B\nstyle A fill:url(https://evil.example/a)'],
  ['a class', 'flowchart LR\nclassDef x background:url("//evil.example");'],
  ['an escape', 'flowchart LR\nclassDef x background:\\75rl(evil.example)'],
  ['a style of a link', 'flowchart LR\nA-->B\nlinkStyle 0 stroke:URL(evil.example)'],
]

test.each(FETCHING)('SX-11 a diagram loses %s', (_, source) => {
  expect(cleanDiagram(source)).not.toContain('evil.example')
})

test('UI-6 a diagram keeps its title, its text and its plain styles', () => {
  const body =
    'flowchart LR\n  A[GET https://api.example] --> B\n  %% a comment\n  style A fill:#f9f,stroke:#333'
  expect(cleanDiagram(body)).toBe(body)
  expect(cleanDiagram(`---\ntitle: "Orders: in"\nconfig:\n  theme: dark\n---\n${body}`)).toBe(
    `---\ntitle: "Orders: in"\n---\n${body}`,
  )
})

test('SX-11 HTML in a diagram is text, and what only looks like it stays', () => {
  expect(cleanDiagram('flowchart LR\nA["<img src=x>"] <--> B["a<br/>b < c"]')).toBe(
    'flowchart LR\nA["#lt;img src=x>"] <--> B["a<br/>b < c"]',
  )
  expect(cleanDiagram('classDiagram\nclass A\n<<interface>> A\nA <|-- B')).toContain(
    '<<interface>> A\nA <|-- B',
  )
  expect(cleanDiagram('pie\n"<<img src=x>" : 1')).not.toContain('<img')
})

test('SX-11 whatever pieces meet, no directive and no configuration is left', () => {
  const piece = fc.constantFrom('%%{', '}%%', '%', '{', '}', '---\n', 'config:\n', 'init', '\n', ' ', 'A-->B')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const clean = cleanDiagram(pieces.join(''))
      expect(clean).not.toContain('%%{')
      expect(clean).not.toMatch(/^\s*---\s*\n(?!title: ")[\s\S]*\n---/)
    }),
  )
})
