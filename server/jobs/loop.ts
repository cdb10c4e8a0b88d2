import type { Services } from '#server/context.ts'

/** A recurring task. It must be safe for two processes to run it at once. */
export type Job = {
  name: string
  everyMs: number
  /** Should end soon after `signal` is aborted. */
  run(services: Services, signal: AbortSignal): Promise<void>
}

export type JobLoop = {
  /** Runs a job as soon as it is idle, ahead of schedule. */
  wake(name: string): void
  /** Starts nothing more and waits for running jobs. */
  stop(): Promise<void>
}

/** Delay of the first runs, so that the first pages are served before them. */
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
      // The current run may have checked for work already, so run once more.
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
      // A separate trace: a request that woke the job has long been answered.
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

/** Starts every job on its own interval. A job that fails is logged and runs again at its next time. */
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
