/** The JSON objects and arrays of a response's `data:` lines, in order. `[DONE]`, which ends some streams, is skipped. */
export async function* serverSentEvents(response: Response): AsyncGenerator<unknown> {
  if (response.body === null) throw new Error('The answer is empty')
  let rest = ''
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (/^data: ([{]|\[(?!DONE))/.test(line)) yield JSON.parse(line.slice('data: '.length))
    }
  }
}
