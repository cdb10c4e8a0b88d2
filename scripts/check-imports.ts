import { join } from 'node:path'
import { checkImports } from '#scripts/boundaries/check.ts'

// The house has long had more files than this: seeing fewer means looking in the wrong place.
const FLOOR = 150

const { modules, imports, problems } = checkImports(join(import.meta.dirname, '..'), FLOOR)
for (const problem of problems) console.log(problem)
console.log(`${modules} modules, ${imports} imports, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
