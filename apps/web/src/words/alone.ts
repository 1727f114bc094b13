import { pageWords } from '@palimpsest/ui'
import { complete, germanPages } from '@palimpsest/ui/de/pages'

const german = complete(pageWords, germanPages)

/** The texts of pages that load without all others, in both languages. */
export function alonePages(language: string) {
  return language === 'de'
    ? { pages: german, failed: 'Diese Seite kann nicht gezeigt werden. Die Nachrichten sind gespeichert.' }
    : { pages: pageWords, failed: 'This page can’t be shown. Your messages are stored.' }
}
