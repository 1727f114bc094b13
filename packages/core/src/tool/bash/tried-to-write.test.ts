import { expect, test } from 'vitest'
import { triedToWrite } from './tried-to-write.ts'

test.for([
  ['xxd: victim: Read-only file system', 3],
  ["touch: cannot touch 'x': Read-only file system", 1],
  ['/bin/bash: line 1: x: Read-only file system', 1],
  ["Error: EROFS: read-only file system, open 'x'", 1],
  ["OSError: [Errno 30] Read-only file system: 'x'", 1],
  ['a\nuniq: 1out: Read-only file system\nb', 0],
  ['sort: open failed: x: Read-only file system', 0],
] as const)('PE-7 %j with exit code %d is a try to write', ([output, code]) => {
  expect(triedToWrite(output, code)).toBe(true)
})

test.for([
  ['', 1],
  ['cat: x: No such file or directory', 1],
  ['docs/errors.md:12:touch: x: Read-only file system', 0],
  ['The error "Read-only file system" (EROFS) means that', 0],
  ['Permission denied', 1],
] as const)('PE-7 %j with exit code %d is none', ([output, code]) => {
  expect(triedToWrite(output, code)).toBe(false)
})
