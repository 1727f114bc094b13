export { type Core, type CorePorts, type CoreSettings, createCore } from './session/core.ts'
export type {
  CreateSession,
  QueueEdit,
  SendMessage,
  SendResult,
  SessionService,
  UsageReport,
} from './session/service.ts'
