import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import {
  type GatewayCharge,
  type GatewayIds,
  NO_MONEY,
  type PaymentGateways,
} from '#server/gateways/payment-gateways.ts'
import { type JobLoop, startJobs } from '#server/jobs/loop.ts'
import { jobsFor } from '#server/jobs/registry.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { makeLog } from '#server/kernel/log.ts'
import { makeServices } from '#server/start.ts'
import { NOW } from './data.ts'

const RESPONSE_MS = 20

/**
 * The product's process for jobs; its parent starts and stops the job loop. Gateways and the mail server
 * respond quickly and correctly, because only the jobs' effect on the database is measured.
 */
const config = readConfig(process.env)
const log = makeLog({ level: 'error', style: 'json' })
const made = await makeServices(config, log)
const startedAt = Date.now()

const capturedMoney = (gwPayment: string): GatewayCharge => ({
  gwPayment,
  paymentId: null,
  amountMinor: 6000,
  currency: 'GBP',
})

/** Responds as an external server would, but faster than most. */
async function respondLater<T>(value: T): Promise<T> {
  await sleep(RESPONSE_MS)
  return value
}

function stubGateways({ stripe, paypal }: PaymentGateways): void {
  const both: Pick<typeof stripe, 'read' | 'listDisputes' | 'listReturned' | 'refund'> = {
    read: ({ gwPayment }) =>
      respondLater({ ...NO_MONEY, ...capturedMoney(gwPayment ?? ''), state: 'paid' as const }),
    listDisputes: () => respondLater([]),
    listReturned: () => respondLater([]),
    refund: ({ key }) => respondLater({ id: key, state: 'done' as const }),
  }
  Object.assign(stripe, both, { listSince: () => respondLater({ taken: [], returned: [] }) })
  Object.assign(paypal, both, {
    listTransactions: ({ gwPayment }: GatewayIds) =>
      respondLater({ taken: [capturedMoney(gwPayment ?? '')], returned: [] }),
  })
}

stubGateways(made.services.gateways)
const services = {
  ...made.services,
  now: () => NOW + Date.now() - startedAt,
  mail: { send: () => respondLater('sent' as const) },
}

const jobs = jobsFor(config)
let loop: JobLoop | null = null

/** Runs one job alone for at most `mostMs`; returns its seconds and whether it finished. */
async function runAlone(name: string, mostMs: number) {
  const job = jobs.find((one) => one.name === name)
  if (job === undefined) throw new Error(`There is no job ${name}.`)
  const start = performance.now()
  const timeUp = AbortSignal.timeout(mostMs)
  await job.run(services, timeUp)
  return { seconds: (performance.now() - start) / 1_000, isOver: !timeUp.aborted }
}

/** Stops the loop; returns the names of jobs that failed, which should be none. */
async function stopAll(): Promise<string[]> {
  await loop?.stop()
  const { values } = await services.metrics.jobFailures.get()
  return values.filter(({ value }) => value > 0).map(({ labels }) => String(labels.job))
}

const Told = z.union([
  z.object({ do: z.literal('start') }),
  z.object({ do: z.literal('stop') }),
  z.object({ do: z.literal('alone'), job: z.string(), mostMs: z.number() }),
])
export type Told = z.infer<typeof Told>

async function runCommand(command: Told): Promise<unknown> {
  switch (command.do) {
    case 'start':
      loop = startJobs(services, jobs)
      return null
    case 'stop':
      return stopAll()
    case 'alone':
      return runAlone(command.job, command.mostMs)
  }
}

process.on('message', (message) => {
  void runCommand(Told.parse(message)).then((answered) => process.send?.({ answered }))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ answered: null })
