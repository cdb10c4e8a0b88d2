import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { chromiumArgs, chromiumPath } from '#tests/e2e/chromium.ts'

type Browser = {
  /** Port for remote debugging. */
  port: number
  close(): Promise<void>
}

/** A headless Chromium with a profile of its own, which `close` deletes. */
export async function openBrowser(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'apposite-bench-'))
  const child = spawn(
    await chromiumPath(),
    [...chromiumArgs, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const port = await new Promise<number>((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const found = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(text)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`Chromium did not start.\n${text}`)))
  })
  return {
    port,
    close: async () => {
      child.kill()
      await ended
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Cookies set by the demo's entrance and by answering the cookie banner. */
const DEMO_ENTERED = { demo_access_token: 'bench' }
const RETURNING = { ...DEMO_ENTERED, consentID: 'b7a5c8f0-5d1e-4f6c-9a3b-0c2d4e6f8a1b' }

/** The cookies of whoever opens a page. */
export type Visitor = Readonly<Record<string, string>>

/** A returning visitor, and one who sees the cookie banner. */
export const visitors = { returning: RETURNING, first: DEMO_ENTERED }

/** Cookies of the demo's patient, just signed in through the demo's entrance. */
export async function patientOf(site: string): Promise<Visitor> {
  const answer = await fetch(`${site}/trpc/auth.enterDemo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site },
    body: JSON.stringify({ email: 'patient@demo.example' }),
  })
  if (!answer.ok) throw new Error(`The door stayed shut: ${answer.status}`)
  const visitor: Record<string, string> = { ...RETURNING }
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (name !== undefined && value !== undefined) visitor[name] = value
  }
  return visitor
}

const Version = z.object({ webSocketDebuggerUrl: z.string() })
const Reply = z.object({ error: z.optional(z.object({ message: z.string() })) })

async function sendCommand(socketUrl: string, method: string, params: unknown): Promise<void> {
  const socket = new WebSocket(socketUrl)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('The browser hung up.')))
      socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, method, params })))
      socket.addEventListener('message', ({ data }) => {
        const { error } = Reply.parse(JSON.parse(String(data)))
        if (error === undefined) resolve()
        else reject(new Error(error.message))
      })
    })
  } finally {
    socket.close()
  }
}

/** Gives a browser the cookies of a visitor of `site`, so that its pages do not redirect to the entrance. */
export async function setVisitorCookies(
  browser: Browser,
  site: string,
  visitor: Visitor,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${browser.port}/json/version`)
  const { webSocketDebuggerUrl } = Version.parse(await answer.json())
  const cookies = Object.entries(visitor).map(([name, value]) => ({
    name,
    value,
    url: site,
  }))
  await sendCommand(webSocketDebuggerUrl, 'Storage.setCookies', { cookies })
}
