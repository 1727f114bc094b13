import { fileURLToPath } from 'node:url'
import type { NextConfig } from 'next'

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  transpilePackages: ['@palimpsest/client', '@palimpsest/core', '@palimpsest/ui'],
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
  // Types are checked by their own command, once, with everything else.
  typescript: { ignoreBuildErrors: true },
}

export default config
