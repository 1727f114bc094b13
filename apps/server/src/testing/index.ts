export { workspaceFiles } from './nothing-protected.ts'
export { startTestServer, type TestServer, type TestServerOptions } from './start-test-server.ts'
export { temporaryFolder } from './temporary-folder.ts'
