import { AppError } from '@palimpsest/core/domain'
import { SERVER_LIMITS } from '../limits.ts'

/** The text of an export. Fails with `INVALID_INPUT` beyond `SERVER_LIMITS.exportCharacters`, without reading on. */
export async function joinExport(pieces: AsyncIterable<string>): Promise<string> {
  const read: string[] = []
  let characters = 0
  for await (const piece of pieces) {
    read.push(piece)
    characters += piece.length
    if (characters > SERVER_LIMITS.exportCharacters) throw tooLong()
  }
  return read.join('')
}

function tooLong(): AppError {
  const words = `A call returns at most ${SERVER_LIMITS.exportCharacters} characters of an export. Read it from /api/v1/sessions/<id>/export.`
  return new AppError('INVALID_INPUT', words, { field: 'sessionId' })
}
