import { join } from 'node:path'
import { checkRooms } from './boundaries/rooms.ts'

const { rooms, files, problems } = checkRooms(join(import.meta.dirname, '..'))
for (const problem of problems) console.log(problem)
console.log(`${rooms.length} rooms, ${files} files, ${problems.length} problems`)
if (problems.length > 0) process.exitCode = 1
