import type { pageWords } from '../en-pages.ts'
import { complete, type Translation } from '../translation.ts'

export { complete }

/** German texts of pages that stand alone. */
export const germanPages: Translation<typeof pageWords> = {
  notFound: {
    title: 'Auf dieser Seite ist nichts',
    body: 'Der Chat wurde gelöscht, oder der Link ist unvollständig.',
    home: 'Neuen Chat beginnen',
  },
  errorPanel: {
    title: 'Etwas ist schiefgegangen',
    retry: 'Erneut versuchen',
  },
}
