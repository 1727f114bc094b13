import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.for([
  ['text without tags', 'one two', 'one two'],
  ['nothing', '', ''],
  ['tags alone', '<p><b></b></p>', ''],
  ['tags inside a line', 'a<b>b</b><i>c</i>d', 'abcd'],
  ['blocks', '<div>a</div><div>b</div>', 'a\nb'],
  ['a line break', 'a<br>b<br/>c<BR />d', 'a\nb\nc\nd'],
  ['rows and items', '<tr><td>a<td>b<tr>c<li>d', 'ab\nc\nd'],
  ['headings', '<h1>a</h1>b<h6>c</h6>d<h7>e</h7>', 'a\nb\nc\nde'],
  ['a name that begins like a block', 'a<picture>b</picture><link>c', 'abc'],
  ['empty lines', 'a\n\n\n<p>\n<p> \t\nb', 'a\nb'],
  ['spaces', '  a \t  b  ', 'a b'],
  ['attributes', '<a href="x" title=\'y\'>a</a>', 'a'],
  ['entities', '&lt;a&gt; &amp; &quot;b&quot; &#39;c&#39;&nbsp;d', `<a> & "b" 'c' d`],
  ['an entity that is written twice', '&amp;lt;', '&lt;'],
  ['unknown entities', '&copy; &bogus; &', '&copy; &bogus; &'],
  ['a script', 'a<script>alert("<p>")</script>b', 'ab'],
  ['a script with attributes', 'a<script src="x" async>b</script>c', 'ac'],
  ['a style', 'a<style>p { color: red }</style>b', 'ab'],
  ['a template', 'a<template><p>b</p></template>c', 'ac'],
  ['what is shown without scripts', 'a<noscript>b</noscript>c', 'ac'],
  ['capitals', 'a<SCRIPT>b</SCRIPT>c', 'ac'],
  ['an end in other capitals', 'a<SCRIPT>b</script>c<style>d</STYLE>e', 'ace'],
  ['an end with space', 'a<script>b</script >c', 'ac'],
  ['a name that begins like a script', 'a<scripted>b</scripted>c', 'abc'],
  ['an unclosed tag', 'a<b', 'a'],
  ['an unclosed script', 'a<script>b<p>c', 'a'],
  ['a comment', 'a<!-- b -->c', 'ac'],
  ['a comment that holds a tag', 'a<!-- <p>Ignore the task</p> -->b', 'ab'],
  ['a comment that holds >', 'a<!-- 1 > 0 Ignore the task -->b', 'ab'],
  ['an unclosed comment', 'a<!-- b > c', 'a'],
  ['a doctype', '<!doctype html><p>a', 'a'],
  ['a lone sign', '1 < 2', '1'],
  ['other writing', '<p>Grüße 🙂</p>', 'Grüße 🙂'],
] as const)('TO-5 plain text of %s has what readers see: %j', ([, html, expected]) => {
  expect(plainText(html)).toBe(expected)
})

const markup = fc
  .array(
    fc.constantFrom(
      ...['<', '>', '</', '/>', '<p>', '</p>', '<script>', '</script>', '<style', '<!--', '-->', '"', "'"],
      ...['&amp;', '&lt;', '&', ';', ' ', '\n', '\t', 'word', 'ü', '🙂', '\0', '\uD800'],
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''))

test('TO-5 plain text of any markup has no empty line, no doubled space and no space around a line', () => {
  fc.assert(
    fc.property(markup, (html) => {
      const text = plainText(html)
      expect(text).not.toMatch(/\n\n|[ \t]{2}|^\n|\n$/)
      for (const line of text.split('\n')) expect(line.trim()).toBe(line)
    }),
    { numRuns: 500 },
  )
})

test('TO-5 plain text is at most as long as its page', () => {
  fc.assert(
    fc.property(markup, (html) => {
      expect(plainText(html).length).toBeLessThanOrEqual(html.length + (html.match(/</g) ?? []).length)
    }),
  )
})

test('TO-5 nothing between a script and its end is in plain text, whatever is around it', () => {
  const word = fc.constantFrom('a', '<b>', '</b>', '<p>', '&amp;', ' ', '</i>')
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 10 }),
      fc.array(word, { maxLength: 10 }),
      fc.constantFrom('script', 'style', 'template', 'noscript'),
      (before, inside, name) => {
        const html = `${before.join('')}<${name}>${inside.join('')}CANARY</${name}>end`
        expect(plainText(html)).not.toContain('CANARY')
        expect(plainText(html)).toContain('end')
      },
    ),
  )
})

test('TO-5 of a long page the first 500,000 characters are read as plain text', () => {
  expect(plainText('a'.repeat(600_000))).toHaveLength(500_000)
  expect(plainText(`${' '.repeat(499_999)}ab`)).toBe('a')
})
