import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startTestServer } from '../testing/index.ts'
import { imageFrame } from './image-frame.ts'

const policyOf = (headers: Headers) => headers.get('content-security-policy') ?? ''

test('SX-11 the frame for diagrams can send no request, has an opaque origin and can be embedded by our pages only', async () => {
  await using server = await startTestServer()
  const response = await fetch(`${server.url}/frames/diagram`)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  const policy = policyOf(response.headers)
  for (const directive of ["default-src 'none'", 'img-src data:', "frame-ancestors 'self'"]) {
    expect(policy.split('; ')).toContain(directive)
  }
  expect(policy).toMatch(/sandbox allow-scripts$/)
  expect(policy).not.toMatch(/https?:\/\/|unsafe-eval|script-src[^;]*(?:unsafe|self)|allow-same-origin/)
  expect(policy.match(/'sha256-/g)).toHaveLength(2)
  const html = await response.text()
  expect(html.match(/<\/script/g)).toHaveLength(2)
  expect(html).toContain("securityLevel: 'strict'")
})

test('SX-11 the frame of an image may load from the origin of that image only', async () => {
  await using server = await startTestServer()
  const address = 'https://images.example:8443/a"b.png?x=<1>&y=2'
  const response = await fetch(`${server.url}/frames/image?url=${encodeURIComponent(address)}`)
  expect(policyOf(response.headers).split('; ')).toContain('img-src https://images.example:8443')
  const html = await response.text()
  expect(html).toContain('referrerpolicy="no-referrer"')
  expect(html.match(/<img/g)).toHaveLength(1)
  expect(html).not.toContain('<1>')
})

test.each([
  'http://images.example/a.png',
  'javascript:alert(1)',
  'data:image/png;base64,AA==',
  'https://name:secret@images.example/a.png',
  '//images.example/a.png',
  'https://*/a.png',
  'https://*.example/a.png',
  'https://images.example;sandbox/a.png',
  "https://'self'/a.png",
  '/frames/diagram',
  '',
  `https://images.example/${'a'.repeat(5_000)}`,
])('SX-11 an image at %.40s is not framed', async (address) => {
  await using server = await startTestServer()
  const response = await fetch(`${server.url}/frames/image?url=${encodeURIComponent(address)}`)
  expect(response.status).toBe(400)
})

test('SX-11 for any image address, the policy names one origin and the document one image', () => {
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ['https'] }), fc.string(), (url, rest) => {
      const frame = imageFrame(`${url}?${rest}`)
      const [images] = frame.policy.split('; ').filter((directive) => directive.startsWith('img-src'))
      expect(images).toMatch(/^img-src https:\/\/[^\s;,'"]+$/)
      expect(frame.policy.split('; ')).toHaveLength(9)
      expect(frame.html.match(/<(?:img|script)/g)).toHaveLength(2)
    }),
  )
})

test('SX-11 a frame that does not exist is refused', async () => {
  await using server = await startTestServer()
  expect((await fetch(`${server.url}/frames/other`)).status).toBe(400)
})
