import { ensureChromium } from './chromium/ensure.ts'

console.log(await ensureChromium('e2e', console.log))
