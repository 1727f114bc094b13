// @vitest-environment happy-dom
import { searchTerms } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { findRanges } from './find-marks.ts'

function matchesIn(html: string, query: string): string[] {
  const root = document.createElement('div')
  root.innerHTML = html
  const terms = searchTerms(query)
  return terms === null ? [] : findRanges(root, terms).map(String)
}

test('UI-30 every word that the search means is marked, without regard to case and accents', () => {
  expect(matchesIn('<p>Ink, <b>ínk</b> and inks; drink</p>', 'ink')).toEqual(['Ink', 'ínk', 'inks'])
  expect(matchesIn('<p>iron gall, gallium</p>', 'iron gall')).toEqual(['iron', 'gall', 'gallium'])
  expect(matchesIn('<p>東京の天気</p>', '天')).toEqual(['天'])
})

test('UI-30 text of controls and for screen readers is not marked', () => {
  const html = '<h2 class="sr-only">ink</h2><button>ink</button><span aria-hidden="true">ink</span><p>ink</p>'
  expect(matchesIn(html, 'ink')).toEqual(['ink'])
})
