import { defineConfig } from 'prisma/config'

export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/sqlite/migrations' },
})
