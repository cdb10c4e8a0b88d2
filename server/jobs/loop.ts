import type { Services } from '#server/context.ts'

/** Something done again and again. It must be harmless when two processes do it at once. */
export type Job = {
  name: string
  everyMs: number
  /** Should end soon after `signal` says stop. */
  run(services: Services, signal: AbortSignal): Promise<void>
}

export type JobLoop = {
  /** Runs a job as soon as it is free, ahead of its time. */
  wake(name: string): void
  /** Lets what is running end, and starts nothing more. */
  stop(): Promise<void>
}

/** Jobs wait this long at first, so that the first pages are answered before them. */
const FIRST_RUN_MS = 1_000

class Runner {
  readonly #services: Services
  readonly #job: Job
  readonly #signal: AbortSignal
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #again = false

  constructor(services: Services, job: Job, signal: AbortSignal) {
    this.#services = services
    this.#job = job
    this.#signal = signal
    services.metrics.jobFailures.inc({ job: job.name }, 0)
    this.#schedule(Math.min(FIRST_RUN_MS, job.everyMs))
  }

  get name(): string {
    return this.#job.name
  }

  wake(): void {
    if (this.#signal.aborted) return
    if (this.#running !== null) {
      // It may have looked already: look once more afterwards.
      this.#again = true
      return
    }
    clearTimeout(this.#timer)
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
  }

  #schedule(afterMs: number): void {
    if (this.#signal.aborted) return
    this.#timer = setTimeout(() => this.wake(), afterMs)
    this.#timer.unref()
  }

  async #runOnce(): Promise<void> {
    const { log, metrics, tracing } = this.#services
    const job = this.#job.name
    const end = metrics.jobSeconds.startTimer({ job })
    try {
      const run = () => this.#job.run(this.#services, this.#signal)
      // A trace of its own: a request may have woken it, which has long been answered.
      await tracing.run({ name: `job ${job}`, kind: 'internal', headers: {} }, run)
      metrics.jobSucceeded.setToCurrentTime({ job })
    } catch (error) {
      metrics.jobFailures.inc({ job })
      log.error({ err: error, job }, 'a job failed')
    }
    end()
  }

  async #run(): Promise<void> {
    do {
      this.#again = false
      await this.#runOnce()
    } while (this.#again && !this.#signal.aborted)
    this.#running = null
    this.#schedule(this.#job.everyMs)
  }
}

/** Starts every job on its own clock. A job that fails is logged and tried again at its next time. */
export function startJobs(services: Services, jobs: Job[]): JobLoop {
  const stopping = new AbortController()
  const runners = jobs.map((job) => new Runner(services, job, stopping.signal))
  return {
    wake: (name) => {
      for (const runner of runners) if (runner.name === name) runner.wake()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all(runners.map((runner) => runner.stop()))
    },
  }
}
