import { SandboxLink } from '#sandbox/link.ts'

/** An app process that uses the sandbox of a data folder, reports it, and runs until it is killed. */
const link = new SandboxLink(process.argv[2] ?? '')
await link.access()
process.stdout.write('here\n')
setInterval(() => {}, 60_000)
