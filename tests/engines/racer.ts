import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import type { RaceJob } from './race-child.ts'

type Racer = { process: ChildProcess; lines: AsyncIterator<string> }

async function nextLine({ lines }: Racer): Promise<string> {
  const line = await lines.next()
  if (line.done === true) throw new Error('A process ended before it had told.')
  return line.value
}

/** Starts a process with its job, and waits until it says that it is ready. */
async function startRacer(job: RaceJob): Promise<Racer> {
  const args = [join(import.meta.dirname, 'race-child.ts'), JSON.stringify(job)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const racer = { process: child, lines }
  expect(await nextLine(racer)).toBe('ready')
  return racer
}

/** Runs one process per job against each other; returns the results of all. */
export async function raceProcesses(jobs: readonly RaceJob[]): Promise<string[]> {
  const racers = await Promise.all(jobs.map(startRacer))
  const ended = racers.map((racer) => once(racer.process, 'exit'))
  for (const racer of racers) racer.process.stdin?.write('go\n')
  const lines = await Promise.all(racers.map(nextLine))
  await Promise.all(ended)
  return lines.flatMap((line) => z.array(z.string()).parse(JSON.parse(line)))
}
