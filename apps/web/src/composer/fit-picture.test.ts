// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { fitPicture, PICTURE_LIMITS } from './fit-picture.ts'

type Drawn = { width: number; height: number; type: string; quality: number }
type Made = { size: number; type?: string } | null

/** A browser that draws pictures of a size, and encodes each as `encode` says. */
function browser(size: { width: number; height: number } | null, encode: (drawn: Drawn) => Made) {
  const drawn: Drawn[] = []
  const close = vi.fn()
  const decode = vi.fn<(file: Blob, options?: ImageBitmapOptions) => Promise<unknown>>(() =>
    size === null ? Promise.reject(new Error('No picture')) : Promise.resolve({ ...size, close }),
  )
  const drawImage = vi.fn()
  vi.stubGlobal('createImageBitmap', decode)
  const context = { drawImage } as Partial<CanvasRenderingContext2D>
  // Drawing is all that is done with the context.
  const got = context as CanvasRenderingContext2D
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(got)
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function encoded(
    this: HTMLCanvasElement,
    done,
    type = '',
    quality = 1,
  ) {
    const one = { width: this.width, height: this.height, type, quality }
    drawn.push(one)
    const made = encode(one)
    done(made && sized(new Blob([], { type: made.type ?? type }), made.size))
  })
  return { drawn, close, decode }
}

function sized<T extends Blob>(blob: T, size: number): T {
  return Object.defineProperty(blob, 'size', { value: size })
}
const picture = (size: number, type = 'image/jpeg', name = 'photo.of.me.jpeg') =>
  sized(new File([], name, { type }), size)
const small = () => ({ size: 1_000 })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test.each([
  ['of an ordinary size', 100_000, 800, 600],
  ['of as many bytes as are taken', PICTURE_LIMITS.bytes, 800, 600],
  ['of as many pixels as are taken', 100_000, PICTURE_LIMITS.side, 1],
  ['as high as is taken', 100_000, 1, PICTURE_LIMITS.side],
])('UI-33 a picture %s stays as it is', async (_, bytes, width, height) => {
  const { drawn, close } = browser({ width, height }, small)
  const file = picture(bytes)
  expect(await fitPicture(file)).toBe(file)
  expect(drawn).toEqual([])
  expect(close).toHaveBeenCalledOnce()
})

test.each([
  ['has a byte too many', PICTURE_LIMITS.bytes + 1, 800, 600, 800, 600],
  ['is a pixel too wide', 100_000, PICTURE_LIMITS.side + 1, 4_000, 4_096, 2_048],
  ['is a pixel too high', 100_000, 4_000, PICTURE_LIMITS.side + 1, 2_048, 4_096],
  ['is one line', 100_000, 20_000, 1, 4_096, 1],
])('UI-33 a picture that %s is scaled down in its proportions', async (_, bytes, width, height, to, by) => {
  const { drawn } = browser({ width, height }, small)
  const fitted = await fitPicture(picture(bytes))
  expect(drawn.map((one) => [one.width, one.height])).toEqual([[to, by]])
  expect(fitted.size).toBeLessThanOrEqual(PICTURE_LIMITS.bytes)
})

test('UI-33 the browser turns a picture as its camera was held before it is scaled', async () => {
  const { decode } = browser({ width: 10_000, height: 10 }, small)
  const file = picture(10)
  await fitPicture(file)
  expect(decode.mock.calls).toEqual([[file, { imageOrientation: 'from-image' }]])
})

test.each([
  ['image/jpeg', 'a.jpg', 'image/jpeg', 'a.jpg'],
  ['image/heic', 'IMG_1.HEIC', 'image/jpeg', 'IMG_1.jpg'],
  ['image/png', 'drawing.png', 'image/webp', 'drawing.webp'],
  ['image/gif', 'two.dots.gif', 'image/webp', 'two.dots.webp'],
  ['image/tiff', 'scan', 'image/webp', 'scan.webp'],
])('UI-33 a large picture of the type %s named %s becomes %s named %s', async (type, name, to, named) => {
  browser({ width: 9_000, height: 9_000 }, small)
  const fitted = await fitPicture(picture(10, type, name))
  expect([fitted.type, fitted.name]).toEqual([to, named])
})

test.each(['image/tiff', 'image/bmp', 'image/heic', 'image/avif'])(
  'UI-33 a small picture of the type %s, which models don’t read, becomes one that they read',
  async (type) => {
    const { drawn } = browser({ width: 100, height: 50 }, small)
    const fitted = await fitPicture(picture(10, type))
    expect(['image/jpeg', 'image/webp']).toContain(fitted.type)
    expect(drawn).toMatchObject([{ width: 100, height: 50 }])
  },
)

test('UI-33 a browser that makes another type than was asked for names the file by what it made', async () => {
  browser({ width: 9_000, height: 9_000 }, () => ({ size: 10, type: 'image/png' }))
  const fitted = await fitPicture(picture(10, 'image/png', 'a.png'))
  expect([fitted.type, fitted.name]).toEqual(['image/png', 'a.png'])
})

test('UI-33 a picture loses quality before it loses pixels, and no more of both than it has to', async () => {
  const { drawn } = browser({ width: 8_192, height: 4_096 }, ({ width, quality }) => ({
    size: width <= 3_072 && quality < 0.9 ? PICTURE_LIMITS.bytes : PICTURE_LIMITS.bytes + 1,
  }))
  const fitted = await fitPicture(picture(10_000_000))
  expect(fitted.size).toBeLessThanOrEqual(PICTURE_LIMITS.bytes)
  expect(drawn.map(({ width, height, quality }) => [width, height, quality])).toEqual([
    [4_096, 2_048, 0.92],
    [4_096, 2_048, 0.8],
    [3_072, 1_536, 0.92],
    [3_072, 1_536, 0.8],
  ])
})

test.each([
  ['stays too large however small it is drawn', { size: PICTURE_LIMITS.bytes + 1 }],
  ['can’t be encoded', null],
])('UI-33 a picture that %s is taken as it was', async (_, made) => {
  const { drawn, close } = browser({ width: 9_000, height: 9_000 }, () => made)
  const file = picture(10_000_000)
  expect(await fitPicture(file)).toBe(file)
  expect(drawn).toHaveLength(8)
  expect(close).toHaveBeenCalledOnce()
})

test('UI-33 what the browser can’t draw is taken as it is', async () => {
  const { drawn, close } = browser(null, small)
  const file = picture(10_000_000, 'image/png')
  expect(await fitPicture(file)).toBe(file)
  expect([drawn, close.mock.calls]).toEqual([[], []])
})

test('UI-33 the memory of a picture is released although it can’t be encoded', async () => {
  const { close } = browser({ width: 9_000, height: 9_000 }, () => {
    throw new DOMException('The canvas is too large.', 'SecurityError')
  })
  await expect(fitPicture(picture(10))).rejects.toThrow('too large')
  expect(close).toHaveBeenCalledOnce()
})
