import { fileURLToPath } from 'node:url'

/**
 * In JavaScript, because the server reads it when it starts: to read TypeScript, Next loads its whole compiler, which
 * stays in memory (25 MB).
 *
 * @type {import('next').NextConfig}
 */
const config = {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  transpilePackages: ['@palimpsest/client', '@palimpsest/core', '@palimpsest/ui'],
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
  // Types are checked by their own command, once, with everything else.
  typescript: { ignoreBuildErrors: true },
}

export default config
