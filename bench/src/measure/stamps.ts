import { now } from '../script.ts'

/** Adds to `delays` the milliseconds that each stamped delta took. Stamps may arrive cut or several at once. */
export function readStamps(delays: number[]): (text: string) => void {
  let rest = ''
  return (text) => {
    const stamps = (rest + text).split(' ')
    rest = stamps.pop() ?? ''
    const arrivedAt = now()
    for (const sentAt of stamps) delays.push(arrivedAt - Number(sentAt))
  }
}
