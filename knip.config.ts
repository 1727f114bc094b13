import type { KnipConfig } from 'knip'

const config: KnipConfig = {
  // The end to end command starts Playwright out of `e2e`, which has it; `prlimit`, `bwrap` and `setsid` are the system's.
  ignoreBinaries: ['playwright', 'prlimit', 'bwrap', 'setsid'],
  // A type that is named in a public signature is exported with it, imported or not.
  ignoreExportsUsedInFile: { interface: true, type: true },
  compilers: { css: (text) => text.match(/(?<=@)import\s+['"][^'"]+['"]/g)?.join('\n') ?? '' },
  workspaces: {
    '.': { entry: ['scripts/*.ts'], project: ['scripts/**/*.{ts,css}'] },
    'apps/server': {
      entry: [
        'src/main.ts',
        'src/start.ts',
        'src/testing/mcp/stdio-server.ts',
        'src/testing/mcp/chart-server.ts',
      ],
      project: ['src/**/*.{ts,css}'],
    },
    // Tests alone import it: what none of them does is unused.
    'packages/testing': { includeEntryExports: true },
    'packages/ui': { project: ['src/**/*.{ts,tsx,css}'] },
    // Only generated code imports the client, and that is not read.
    'packages/db': { ignoreDependencies: ['@prisma/client'] },
    // Each is a process of its own, started by path.
    bench: { entry: ['src/processes/*.ts'], project: ['src/**/*.{ts,css}'] },
  },
}

export default config
