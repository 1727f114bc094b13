export type { AppRouter } from './routers/app-router.ts'
export type { SystemInfo } from './trpc/context.ts'
