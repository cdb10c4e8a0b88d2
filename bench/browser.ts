import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromiumArgs, chromiumPath } from '#tests/e2e/chromium.ts'

export type Browser = {
  /** Where the browser can be steered from. */
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
