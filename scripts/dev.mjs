// Runs before anything is installed, on whatever Node is there: keep to old, plain syntax here.
import { refuseOldNode } from './bootstrap/node-version.mjs'

refuseOldNode()
void import('./bootstrap/run.mjs').then((bootstrap) => bootstrap.dev())
