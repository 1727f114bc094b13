import { z } from 'zod'

/** A kind of server that people run on their own machine, where it listens, and where it says its windows. */
export type LocalServer = {
  id: string
  label: string
  /** Without a path. */
  origin: string
  /** Path of the server's own report on its models. */
  detailsPath: string
  /** Reads windows in tokens out of that report, by model id. A window that applies to every model has the id `*`. */
  readWindows: (report: unknown) => Map<string, number>
}

const ollamaReport = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.int().positive() })),
})
const lmStudioReport = z.object({
  data: z.array(z.object({ id: z.string(), loaded_context_length: z.int().positive().optional() })),
})
const llamaCppReport = z.object({ default_generation_settings: z.object({ n_ctx: z.int().positive() }) })

/**
 * What each reports is the window it runs with. The window that a model was trained with, which some report as well,
 * is usually larger, and a prompt of that size would be cut without a word.
 */
export const LOCAL_SERVERS: readonly LocalServer[] = [
  {
    id: 'ollama',
    label: 'Ollama',
    origin: 'http://127.0.0.1:11434',
    detailsPath: '/api/ps',
    readWindows: (report) => {
      const { data } = ollamaReport.safeParse(report)
      return new Map(data?.models.map((model) => [model.name, model.context_length]))
    },
  },
  {
    id: 'lmstudio',
    label: 'LM Studio',
    origin: 'http://127.0.0.1:1234',
    detailsPath: '/api/v0/models',
    readWindows: (report) => {
      const { data } = lmStudioReport.safeParse(report)
      const known = data?.data.flatMap((model) =>
        model.loaded_context_length ? [[model.id, model.loaded_context_length] as const] : [],
      )
      return new Map(known)
    },
  },
  {
    id: 'llamacpp',
    label: 'llama.cpp',
    origin: 'http://127.0.0.1:8080',
    detailsPath: '/props',
    readWindows: (report) => {
      const { data } = llamaCppReport.safeParse(report)
      return new Map(data && [['*', data.default_generation_settings.n_ctx]])
    },
  },
]
