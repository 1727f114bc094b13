type Secrets = {
  apiKey?: string | undefined
  headers?: Record<string, string> | undefined
  baseURL?: string | undefined
}

/** Shorter values of headers are words: taken out, they would make an error unreadable. */
const MIN_HEADER_LENGTH = 6

/** The key, what headers of one's own hold, and what an address carries beside host and path. */
export function secretsOf({ apiKey, headers = {}, baseURL }: Secrets): string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\w+\s+/, '')])
  return [
    ...(apiKey === undefined ? [] : [apiKey]),
    ...values.filter((value) => value.length >= MIN_HEADER_LENGTH),
    ...(baseURL === undefined ? [] : secretsInAddress(baseURL)),
  ]
}

function secretsInAddress(address: string): string[] {
  if (!URL.canParse(address)) return []
  const { username, password, searchParams } = new URL(address)
  return [username, password, ...searchParams.values()].flatMap((value) => [value, decoded(value)])
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
