import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { freePort, waitUntil } from '#tests/harness/servers/server-process.ts'
import { NAME, type PostgresNode, serverUser } from './postgres.ts'
import { endWithParent } from './processes.ts'

/** Where packages install it, besides the folders in PATH: a plain user's PATH has no sbin. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/** The program of an installed PgBouncer; null when there is none. */
export function findPgbouncer(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SYSTEM_FOLDERS]
  return folders.map((folder) => join(folder, 'pgbouncer')).find((path) => existsSync(path)) ?? null
}

/** The same settings as in compose.yaml. */
function settings(primary: PostgresNode, port: number, users: string): string {
  return `[databases]
${NAME} = host=127.0.0.1 port=${primary.port} dbname=${NAME}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 40
max_client_conn = 200
server_login_retry = 1
query_wait_timeout = 15
`
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ host: '127.0.0.1', port })
    probe.on('error', () => resolve(false))
    probe.on('connect', () => {
      probe.destroy()
      resolve(true)
    })
  })
}

/** PgBouncer in front of a Postgres server, in transaction mode. */
export type Pgbouncer = {
  url: string
  /** Points it to another server, as by an edited `[databases]` and RELOAD. */
  leadTo(node: PostgresNode): Promise<void>
  stop(): Promise<void>
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  // After one signal it waits for its clients.
  child.kill('SIGQUIT')
  await exited
}

/** Starts an installed PgBouncer in front of `primary`; its settings and log are kept in `folder`. */
export async function startPgbouncer(
  program: string,
  primary: PostgresNode,
  folder: string,
): Promise<Pgbouncer> {
  const port = await freePort()
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
  await writeFile(users, `"${NAME}" "${NAME}"\n`)
  const write = (node: PostgresNode) => writeFile(file, settings(node, port, users))
  await write(primary)
  for (const path of [file, users]) await chmod(path, 0o644)
  const log = openSync(join(folder, 'pgbouncer.log'), 'a')
  const child = spawn(program, [file], { ...serverUser(), stdio: ['ignore', log, log] })
  closeSync(log)
  endWithParent(child, 'SIGQUIT')
  await waitUntil(() => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: see pgbouncer.log in ${folder}`)
    return isListening(port)
  })
  return {
    url: `postgres://${NAME}:${NAME}@127.0.0.1:${port}/${NAME}`,
    leadTo: async (node) => {
      await write(node)
      child.kill('SIGHUP')
    },
    stop: () => stop(child),
  }
}
