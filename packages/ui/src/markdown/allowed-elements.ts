import { defaultSchema, type Options } from 'rehype-sanitize'

/**
 * What may be drawn at all: the elements that markdown itself makes. Links and images that lead elsewhere are judged
 * again where they are drawn, by `allowedLink` and `allowedImage`.
 */
export const allowedElements: Options = {
  ...defaultSchema,
  // Footnotes have been given their prefix by the time that the sanitiser sees them.
  clobberPrefix: '',
  // `streamdown` marks an image whose address is still being written; nothing is drawn for it.
  protocols: {
    ...defaultSchema.protocols,
    href: ['http', 'https', 'mailto'],
    src: ['http', 'https', 'streamdown'],
  },
}
