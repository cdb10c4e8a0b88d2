import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** From a lookup to a payment that waits for its gateway, in seconds. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** What a process counts while it works; `/metrics` shows it. Labels are names of ours, never data. */
export type Metrics = {
  registry: Registry
  /** Calls of procedures, whichever way they came, by how they ended: `ok` or an error code. */
  calls: Counter<'call' | 'outcome'>
  callSeconds: Histogram<'call'>
  jobSeconds: Histogram<'job'>
  jobFailures: Counter<'job'>
  /** When a job last ended well, in seconds since 1970. */
  jobSucceeded: Gauge<'job'>
  /** Calls of Stripe and PayPal that were not answered as they should be. */
  gatewayFailures: Counter<'gateway'>
  /** Webhooks refused because of their signature, by the gateway whose path they came to. */
  badSignatures: Counter<'gateway'>
  /** Reads of what is public, where there is a replica: `replica`, `primary`, or `retried` on the latter. */
  publicReads: Counter<'from'>
}

/** Counters at zero. */
export function makeMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const metrics: Metrics = {
    registry,
    calls: new Counter({
      name: 'apposite_calls_total',
      help: 'Calls of procedures, by how they ended.',
      labelNames: ['call', 'outcome'],
      registers,
    }),
    callSeconds: new Histogram({
      name: 'apposite_call_seconds',
      help: 'How long calls took.',
      labelNames: ['call'],
      buckets: BUCKETS,
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'apposite_job_seconds',
      help: 'How long a run of a job took.',
      labelNames: ['job'],
      buckets: BUCKETS,
      registers,
    }),
    jobFailures: new Counter({
      name: 'apposite_job_failures_total',
      help: 'Runs of jobs that failed.',
      labelNames: ['job'],
      registers,
    }),
    jobSucceeded: new Gauge({
      name: 'apposite_job_succeeded_timestamp_seconds',
      help: 'When a job last ended well.',
      labelNames: ['job'],
      registers,
    }),
    gatewayFailures: new Counter({
      name: 'apposite_gateway_failures_total',
      help: 'Calls of a payment gateway that were not answered as they should be.',
      labelNames: ['gateway'],
      registers,
    }),
    badSignatures: new Counter({
      name: 'apposite_webhook_bad_signatures_total',
      help: 'Webhooks whose signature was wrong, by gateway.',
      labelNames: ['gateway'],
      registers,
    }),
    publicReads: new Counter({
      name: 'apposite_public_reads_total',
      help: 'Public reads by who answered them, where there is a replica.',
      labelNames: ['from'],
      registers,
    }),
  }
  // Told before the first one comes: Prometheus counts no growth from nothing.
  for (const gateway of ['stripe', 'paypal']) {
    metrics.gatewayFailures.inc({ gateway }, 0)
    metrics.badSignatures.inc({ gateway }, 0)
  }
  return metrics
}
