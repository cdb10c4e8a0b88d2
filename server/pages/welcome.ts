import { DEMO_ACCOUNTS } from '#db/reference/demo.ts'
import type { Config } from '#server/kernel/config/config.ts'

function demoLines(address: string): string[] {
  const width = Math.max(...DEMO_ACCOUNTS.map(({ email }) => email.length))
  return [
    '',
    'Demo accounts, each with its mailbox:',
    ...DEMO_ACCOUNTS.map(
      ({ email, who }) =>
        `  ${email.padEnd(width)}  ${who}\n  ${' '.repeat(width)}  ${address}/demo/mailbox?to=${email}`,
    ),
  ]
}

/** The lines printed once the server is ready: its address and, in a demo, the accounts. */
export function welcome(config: Config, port: number): string[] {
  if (!config.demo) return [`Serving ${config.publicUrl} on ${config.host}:${port}`]
  const address = config.port === port ? config.publicUrl : `http://localhost:${port}`
  return [`Apposite is ready: ${address}`, ...demoLines(address)]
}
