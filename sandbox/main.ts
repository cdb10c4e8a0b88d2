import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Before anything else is loaded, as in the server's own main.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))

const { runSandbox } = await import('./serve.ts')
await runSandbox(process.env['DATA_DIR'] ?? join(process.cwd(), '.data'))
