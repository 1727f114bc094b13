import { expect, test } from 'vitest'
import { databasePath } from './database-url.ts'

test('DA-7 a file URL is a path, relative to the folder that it is read in', () => {
  expect(databasePath('file:./data/a.db', '/home/me')).toBe('/home/me/data/a.db')
  expect(databasePath('file:a.db?connection_limit=1', '/home/me')).toBe('/home/me/a.db')
  expect(databasePath('file:/var/a.db', '/home/me')).toBe('/var/a.db')
  expect(databasePath('file:///var/with%20space.db', '/home/me')).toBe('/var/with space.db')
})

test('DA-7 another database is refused by name, without the address that may hold a password', () => {
  const refused = () => databasePath('postgresql://me:secret@host/db')
  expect(refused).toThrow(/takes a file.*postgresql/)
  expect(refused).not.toThrow(/secret/)
  expect(() => databasePath('')).toThrow(/takes a file/)
})
