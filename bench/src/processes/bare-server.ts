import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createLabModels, LAB_MODEL } from '@palimpsest/testing'
import { pipeUIMessageStreamToResponse, streamText, toUIMessageStream } from 'ai'
import { announce } from './announce.ts'

/** The reference: a model's answer straight to the response, nothing checked, nothing stored. */
const [baseURL = ''] = process.argv.slice(2)
const { model } = await createLabModels(baseURL).open(LAB_MODEL)

const server = createServer(async (request, response) => {
  const { stream } = streamText({ model, prompt: await text(request), maxRetries: 0 })
  await pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream }) })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
announce(`http://127.0.0.1:${port}`)
