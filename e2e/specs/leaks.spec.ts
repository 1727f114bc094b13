import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

/** Payloads in one reply: few enough that each is near the viewport after a short scroll. */
const IN_ONE_REPLY = 8

/** A foreign host that counts its requests. */
async function startForeignHost() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(204, { 'access-control-allow-origin': '*' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    asked,
    host: `localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const diagram = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``
const init = (settings: object, rest = 'flowchart LR\n  A --> B') =>
  diagram(`%%{init: ${JSON.stringify(settings)}}%%\n${rest}`)

/** Content that requests the address `at`, or tries to. */
function payloads(at: string): string[] {
  const image = `<img src='${at}'>`
  const css = `url(${at})`
  return [
    diagram(`flowchart LR\n  A@{ img: "${at}", label: "a", w: 60, h: 60 }\n  A --> B`),
    diagram(`flowchart LR\n  A@{ shape: image, "img" : '${at}' }`),
    diagram(`flowchart LR\n  A@{ "i\\u006dg": "${at}", w: 60, h: 60 }`),
    diagram(`flowchart LR\n  A["${image}"] --> B`),
    diagram(
      `---\nconfig:\n  htmlLabels: true\n  flowchart:\n    htmlLabels: true\n---\nflowchart LR\n  A["${image}"]`,
    ),
    init({ htmlLabels: true, flowchart: { htmlLabels: true } }, `flowchart LR\n  A["${image}"]`),
    init({ securityLevel: 'loose', htmlLabels: true }, `flowchart LR\n  A["${image}"]`),
    init({ themeCSS: `.node rect { fill: ${css} } @import ${css};` }),
    init({ themeCSS: `@font-face { font-family: x; src: ${css} } * { font-family: x }` }),
    init({ fontFamily: `x; } @import ${css}; a {` }),
    init({ theme: 'base', themeVariables: { primaryColor: css, fontFamily: `x;background:${css}` } }),
    init({ altFontFamily: css, gantt: { fontFamily: css } }),
    diagram(`%%{\n  init: {\n    'themeCSS': '* { background: ${css} }'\n  }\n}%%\nflowchart LR\n  A --> B`),
    diagram(`%%{wrap}%%\n%%{init: {"themeCSS": "@import ${css}"}\nflowchart LR\n  A --> B`),
    diagram(`---\nconfig:\n  themeCSS: "@import ${css};"\n---\nflowchart LR\n  A --> B`),
    diagram(`---\nconfig:\n  layout: elk\n---\nflowchart LR\n  A["${image}"] --> B`),
    diagram(`flowchart LR\n  A --> B\n  style A fill:${css}`),
    diagram(`flowchart LR\n  A --> B\n  style A background:u\\72l(${at})`),
    diagram(`flowchart LR\n  A --> B\n  linkStyle 0 marker-end:${css}`),
    diagram(`flowchart LR\n  A:::x --> B\n  classDef x fill:${css},background-image:${css}`),
    diagram(`flowchart LR\n  A --> B\n  classDef default background:image-set("${at}" 1x)`),
    diagram(`flowchart LR\n  A --> B\n  click A "${at}" _self`),
    diagram(`flowchart LR\n  A["\`![x](${at})\`"] --> B`),
    diagram(`flowchart LR\n  A["$$\\includegraphics{${at}}$$"] --> B`),
    diagram(`stateDiagram-v2\n  [*] --> s\n  s: ${image}\n  classDef x fill:${css}\n  class s x`),
    diagram(`classDiagram\n  class A["${image}"]\n  style A fill:${css}`),
    diagram(`classDiagram\n  class A\n  link A "${at}"\n  cssClass "A" x\n  classDef x background:${css}`),
    diagram(`sequenceDiagram\n  A->>B: ${image}\n  Note over A: ${image}\n  link A: Site @ ${at}`),
    diagram(`sequenceDiagram\n  participant A@{ "type": "database", "img": "${at}" }\n  A->>B: hi`),
    diagram(`erDiagram\n  A["${image}"] ||--o{ B : has\n  style A fill:${css}`),
    diagram(`gantt\n  title ${image}\n  section S\n  A :a1, 2026-01-01, 3d\n  click a1 href "${at}"`),
    diagram(`pie title ${image}\n  "${image}" : 1`),
    diagram(`journey\n  title ${image}\n  section S\n    ${image}: 5: Me`),
    diagram(`mindmap\n  root((${image}))\n    ::icon(fa fa-x)\n    a["${image}"]`),
    diagram(`timeline\n  title ${image}\n  2026 : ${image}`),
    diagram(`quadrantChart\n  title ${image}\n  A: [0.3, 0.6] color: ${css}`),
    diagram(`gitGraph\n  commit id: "${image}" tag: "${image}"`),
    diagram(`C4Context\n  Person(a, "${image}", "x", $sprite="${at}", $link="${at}")`),
    diagram(`block-beta\n  a["${image}"]\n  style a fill:${css}`),
    diagram(`architecture-beta\n  service a(${at})[x]`),
    diagram(`kanban\n  a[${image}]\n    b[x]@{ ticket: 1, assigned: '${image}' }`),
    diagram(`requirementDiagram\n  requirement r {\n    text: "${image}"\n  }\n  style r fill:${css}`),
    diagram(`sankey-beta\n${image},b,1`),
    diagram(`xychart-beta\n  title "${image}"\n  bar [1, 2]`),
    diagram(`radar-beta\n  title ${image}\n  axis a["${image}"]\n  curve c{1}`),
    `![x](${at})`,
    `![x](${at.replace('http:', '')})`,
    `[![x](${at})](${at})`,
    `![x][far]\n\n[far]: ${at}`,
    `[link](${at} "title") and <${at}> and ${at}`,
    `<img src="${at}"><iframe src="${at}"></iframe><link rel="preconnect" href="${at}">`,
    `<link rel="dns-prefetch" href="${at}"><link rel="stylesheet" href="${at}"><link rel="prefetch" href="${at}">`,
    `<style>@import ${css};</style><div style="background:${css}">x</div>`,
    `<video src="${at}" poster="${at}"></video><audio src="${at}"></audio><object data="${at}"></object>`,
    `<svg><image href="${at}"/><use href="${at}#a"/><filter id="f"><feImage href="${at}"/></filter></svg>`,
    `<script type="speculationrules">{"prefetch":[{"urls":["${at}"]}]}</script><meta http-equiv="refresh" content="0;url=${at}">`,
    `\`\`\`css\n@import ${css}; a { background: ${css} }\n\`\`\``,
    `\`\`\`svg\n<svg><image href="${at}"/></svg>\n\`\`\``,
    `\`\`\`html\n<img src="${at}">\n\`\`\``,
    `![x](data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${at}"/></svg>`)})`,
    `$$\\includegraphics[height=1em]{${at}}$$`,
    `$$\\href{${at}}{x} \\url{${at}}$$`,
    `$$\\htmlStyle{background:${css}}{x} \\htmlData{a=${at}}{y}$$`,
    `$$\\def\\a{\\includegraphics{${at}}}\\a \\gdef\\b{\\htmlStyle{background:${css}}{x}}\\b$$`,
    `A note[^1]\n\n[^1]: ![x](${at}) <img src="${at}">`,
    `| a |\n|---|\n| ![x](${at}) <img src="${at}"> |`,
    `- [ ] ![x](${at})\n- <img src="${at}" srcset="${at} 2x">`,
  ]
}

/** Scrolls to each diagram, which draws it, until none is pending. */
async function drawAll(page: Page): Promise<void> {
  const waiting = page.locator('.diagram .skeleton')
  const left = async () => {
    if ((await waiting.count()) > 0)
      await waiting
        .first()
        .scrollIntoViewIfNeeded({ timeout: 1_000 })
        .catch(() => undefined)
    return waiting.count()
  }
  await expect.poll(left, { timeout: 60_000 }).toBe(0)
}

test('SX-11 no content of a reply makes the page send a request to another host', {
  tag: '@diagrams',
}, async ({ chat, product, page }) => {
  test.setTimeout(240_000)
  await using foreign = await startForeignHost()
  const requests: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).host === foreign.host) requests.push(request.url())
  })
  const all = payloads(`http://${foreign.host}/leak`)
  await chat.open()
  for (let from = 0; from < all.length; from += IN_ONE_REPLY) {
    const last = `The end of ${from}.`
    const text = [...all.slice(from, from + IN_ONE_REPLY), last].join('\n\n')
    product.provider.script(reply({ text }))
    await chat.send(`Leak ${from}`)
    await expect(chat.message(last)).toBeVisible()
    await drawAll(page)
    await chat.thread.press('End')
  }
  await page.getByRole('link', { name: 'link' }).first().hover()
  expect(requests).toEqual([])
  expect(foreign.asked).toEqual([])
})

test('SX-11 an image is fetched after a click, from its own origin, without a referrer, and is shown', async ({
  chat,
  product,
  page,
}) => {
  const square = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="teal"/></svg>`
  const referrers: (string | undefined)[] = []
  await page.route('https://images.example/**', async (route) => {
    referrers.push(route.request().headers()['referer'])
    await route.fulfill({ contentType: 'image/svg+xml', body: square })
  })
  product.provider.script(reply({ text: 'See ![A leaf](https://images.example/leaf.svg?q=1).\n\nThe end.' }))
  await chat.open()
  await chat.send('Show me a leaf')
  await expect(chat.message('The end.')).toBeVisible()
  expect(referrers).toEqual([])
  await page.getByRole('button', { name: /Load image from images.example/ }).click()
  const frame = page.getByTitle('A leaf')
  await expect(frame).toHaveCSS('aspect-ratio', '80 / 40')
  expect(referrers).toEqual([undefined])
})

test('UI-6 a diagram is drawn in the colours of the page, light and dark', async ({
  chat,
  product,
  page,
}) => {
  const source = '---\ntitle: Ink\n---\nflowchart LR\n  A[Oak galls] -->|with iron| B(Ink)\n  B --> C{Paper?}'
  product.provider.script(reply({ text: `${diagram(source)}\n\nThe end.` }))
  await chat.open()
  await chat.send('Draw ink')
  const image = page.getByRole('img', { name: 'Diagram' })
  await expect(image).toBeVisible({ timeout: 30_000 })
  const light = await image.getAttribute('src')
  for (const word of ['Ink', 'galls', 'iron']) expect(decodeURIComponent(light ?? '')).toContain(word)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(image).not.toHaveAttribute('src', light ?? '')
})
