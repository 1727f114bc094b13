import { spawnSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_RECORDS } from '../../testing/nothing-protected.ts'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'
import { createBwrapSandbox } from './bwrap-sandbox.ts'
import { COMMAND_BOUNDS } from './command-bounds.ts'

const MB = 1024 ** 2

/** Bounds so small that a guard that fails harms nothing: each trial ends itself far below what the machine has. */
const SMALL = { memory: 300 * MB, tasks: 60, fileBytes: 8 * MB, tmpBytes: 4 * MB }

test('TO-10 a file above the bound is not written further, and the command goes on', async () => {
  await using lab = await openSandboxLab({ bounds: SMALL })
  const { text } = await lab.run('head -c 20M /dev/zero > big; echo "on $?"')
  expect(text).toMatch(/on [1-9]/)
  expect((await stat(join(lab.root, 'big'))).size).toBe(SMALL.fileBytes)
})

test.for(['read', 'write'] as const)(
  'TO-10 /tmp, /dev/shm and /run are full at their bound for the command alone, with the access %s',
  async (access) => {
    await using lab = await openSandboxLab({ bounds: SMALL })
    const { text } = await lab.run(
      `for folder in /tmp /dev/shm /run /dev; do for i in 1 2 3; do head -c 3M /dev/zero > $folder/f$i; done; done 2>/dev/null
       du -sb --total /tmp /dev/shm /run | tail -1 | cut -f1`,
      access,
    )
    expect(Number(text)).toBeGreaterThan(3 * MB)
    expect(Number(text)).toBeLessThan(2 * SMALL.tmpBytes + MB)
  },
)

/** Asks for a gigabyte, in small steps. */
const HOG = `python3 -c '
held = []
try:
    for i in range(200): held.append(bytearray(5 * 1024 * 1024))
    print("held all")
except MemoryError:
    held = None
    print("refused")'`

test('TO-10 a process gets no more memory than the bound', async () => {
  await using lab = await openSandboxLab({ bounds: SMALL })
  expect(await lab.run(HOG)).toMatchObject({ text: 'refused\n', code: 0 })
})

test('TO-10 a command whose processes use more memory together than the bound is ended, with the reason', async () => {
  await using lab = await openSandboxLab({ bounds: { ...SMALL, memory: 150 * MB } })
  const { text, signal, remarks } = await lab.run(
    `for i in 1 2 3 4; do python3 -c 'import time; held = bytearray(60 * 1024 * 1024); time.sleep(20); print("held")' & done; wait`,
  )
  expect({ text, signal, remarks }).toEqual({
    text: '',
    signal: 'SIGKILL',
    remarks: ['It used more than 150 MB of memory, and was ended.'],
  })
})

/** Starts processes that end by themselves soon, and far fewer than the machine can have. */
const FORKS = 'for i in $(seq 400); do (setsid sleep 20 &); done; echo "started all"; sleep 20'

test('TO-10 a command that starts processes without end is ended with all of them, and nothing else is', async () => {
  await using lab = await openSandboxLab({ bounds: SMALL })
  const { text, remarks, code, signal } = await lab.run(FORKS)
  // The kernel refuses further ones to a user who is not root, else the watch sees them.
  if (signal === null) expect({ text, code }).toMatchObject({ text: expect.stringMatching(/fork|Resource/) })
  else expect(remarks).toEqual(['It had more than 60 processes and threads, and was ended.'])
  expect((await lab.run('echo on')).text).toBe('on\n')
})

test('TO-10 without a sandbox a command has the bounds on memory, files and processes too', async () => {
  await using lab = await openSandboxLab({ bounds: SMALL })
  const none = createBwrapSandbox({ home: '/nowhere', hidden: [], readable: [], settings: [] }, NO_RECORDS, {
    ...COMMAND_BOUNDS,
    ...SMALL,
  })
  const outcomes: string[] = []
  for (const line of ['head -c 20M /dev/zero > big; echo "on $?"', HOG, FORKS]) {
    const { running } = lab.start(line, 'write', lab.root, none)
    let text = ''
    running.onOutput((piece) => {
      text += piece
    })
    const { signal } = await running.exited
    await running.end()
    outcomes.push(signal === null ? text : running.remarks.join())
  }
  expect(outcomes).toEqual([
    expect.stringMatching(/on [1-9]/),
    'refused\n',
    expect.stringContaining('more than 60 processes'),
  ])
})

test('TO-10 a command inherits no descriptor beyond its output', async () => {
  await using lab = await openSandboxLab()
  const list = 'for fd in /proc/$$/fd/*; do [ "$(basename $fd)" -gt 2 ] && readlink $fd; done; true'
  for (const access of ['read', 'write'] as const) expect((await lab.run(list, access)).text).toBe('')
  const none = createBwrapSandbox({ home: '/nowhere', hidden: [], readable: [], settings: [] }, NO_RECORDS)
  const { running } = lab.start(list, 'write', lab.root, none)
  let text = ''
  running.onOutput((piece) => {
    text += piece
  })
  await running.exited
  await running.end()
  expect(text).toBe('')
})

test('TO-10 compilers, interpreters and test runners work within the default bounds', async () => {
  await using lab = await openSandboxLab({ files: { 'work/a.ts': 'export const a: number = 1\n' } })
  const lines = [
    'node -e "console.log(Buffer.alloc(2e8).length)"',
    `node -e "const {Worker} = require('worker_threads'); for (let i = 0; i < 8; i++) new Worker('1', {eval: true}); console.log('workers')"`,
    'python3 -c "print(sum(range(10)))"',
    "printf 'int main(){return 0;}' > /tmp/a.c && if command -v gcc >/dev/null; then gcc -o /tmp/a /tmp/a.c && /tmp/a; fi; echo compiled $?",
  ]
  expect((await lab.run(lines.join('\n'))).text).toBe('200000000\nworkers\n45\ncompiled 0\n')
})

const MEMORY_FILES =
  'import os; files = [os.memfd_create(str(at)) for at in range(20)]; print(sum(os.write(file, bytes(8 << 20)) for file in files) >> 20, flush=True); os.write(files[0], b"x")'
const hasPython = spawnSync('python3', ['-c', '']).status === 0

test.skipIf(!hasPython)(
  'TO-10 a file in memory has the bound of a file, and several are not counted',
  async () => {
    await using lab = await openSandboxLab({ bounds: { ...SMALL, memory: 100 * MB } })
    const { text, code } = await lab.run(`python3 -c '${MEMORY_FILES}'; code=$?; sleep 0.6; exit $code`)
    expect({ text: text.split('\n').filter((line) => /^\d|Error/.test(line)), code }).toEqual({
      text: ['160', expect.stringContaining('File too large')],
      code: 1,
    })
  },
)
