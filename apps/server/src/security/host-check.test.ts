import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { addressFor, createHostCheck, isLoopback } from './host-check.ts'

test('SX-1 a server on loopback accepts loopback names only', () => {
  const isAllowed = createHostCheck('127.0.0.1', [])
  for (const own of ['localhost', 'localhost:3000', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000']) {
    expect(isAllowed(own)).toBe(true)
  }
  for (const other of [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '127.0.0.2',
    '',
    undefined,
  ]) {
    expect(isAllowed(other)).toBe(false)
  }
})

test('SX-1 configured names and the configured address are allowed too', () => {
  const isAllowed = createHostCheck('192.168.7.7', ['Chat.example'])
  expect(isAllowed('chat.example')).toBe(true)
  expect(isAllowed('chat.example:8443')).toBe(true)
  expect(isAllowed('192.168.7.7:3000')).toBe(true)
  expect(isAllowed('192.168.7.8:3000')).toBe(false)
})

test('SX-1 a server that listens on every address accepts the machine’s own addresses, not any name', () => {
  const isAllowed = createHostCheck('0.0.0.0', [])
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  for (const { address, family } of addresses)
    expect(isAllowed(family === 'IPv6' ? `[${address}]` : address)).toBe(true)
  expect(isAllowed('evil.example')).toBe(false)
})

test('SX-1 only loopback addresses count as this machine', () => {
  expect(['127.0.0.1', '127.8.9.1', 'localhost', '::1'].every(isLoopback)).toBe(true)
  expect(['0.0.0.0', '::', '192.168.0.1', '127.evil.example', '1127.0.0.1'].some(isLoopback)).toBe(false)
})

test('CF-1 the printed address can be opened', () => {
  expect(addressFor('127.0.0.1', 3000)).toBe('http://localhost:3000')
  expect(addressFor('0.0.0.0', 3000)).toBe('http://localhost:3000')
  expect(addressFor('fe80::1', 3000)).toBe('http://[fe80::1]:3000')
  expect(addressFor('chat.example', 80)).toBe('http://chat.example:80')
})
