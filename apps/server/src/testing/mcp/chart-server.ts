import { crc32, deflateSync } from 'node:zlib'
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

// A program with one tool, whose result has a picture.
const BARS = [0.35, 0.6, 0.45, 0.8, 0.7, 0.95, 0.85, 0.9]
const [WIDTH, HEIGHT] = [640, 360]

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A PNG of bars on white. */
function chart(): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2], 8)
  const step = WIDTH / BARS.length
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const row = Buffer.alloc(1 + WIDTH * 3, 0xff)
    row[0] = 0
    for (let x = 0; x < WIDTH; x++) {
      const bar = BARS[Math.floor(x / step)] ?? 0
      if (x % step >= step * 0.2 && HEIGHT - y < bar * HEIGHT) row.set([0x2f, 0x6f, 0xb5], 1 + x * 3)
    }
    return row
  })
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows)))]
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]).toString('base64')
}

serveStdio(() => {
  const server = new Server({ name: 'charts', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'draw', description: 'Draws the sales of a year', inputSchema: { type: 'object' } }],
  }))
  server.setRequestHandler('tools/call', () => ({
    content: [
      { type: 'text', text: 'Sales by month, January to August.' },
      { type: 'image', data: chart(), mimeType: 'image/png' },
    ],
  }))
  return server
})
