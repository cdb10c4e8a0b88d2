// Runs before anything is installed, on any Node version: keep to old, plain syntax here.
import { refuseOldNode } from './bootstrap/node-version.mjs'

refuseOldNode()
void import('./bootstrap/run.mjs').then((bootstrap) =>
  bootstrap.runScript({ needs: 'all', args: ['scripts/run-tests.ts', ...process.argv.slice(2)] }),
)
