// Runs a script of ours with the pinned Node: `node scripts/with-runtime.mjs bench/run.ts --quick`.
import { refuseOldNode } from './bootstrap/node-version.mjs'

refuseOldNode()
const args = process.argv.slice(2)
// Benchmarks, drills and tests need their tools; everything else needs only what `npm start` installs.
const needs = /^(bench|tests)\/|^scripts\/(docs-pictures|drill|topology)\.ts$/.test(args[0] ?? '')
  ? 'all'
  : 'runtime'
void import('./bootstrap/run.mjs').then((bootstrap) => bootstrap.runScript({ needs, args }))
