import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Histogram buckets in seconds, from a lookup to a payment that waits for its gateway. */
const BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Metrics of one process, served at `/metrics`. Label values are our own names, never user data. */
export type Metrics = {
  registry: Registry
  /** Procedure calls over any transport, by outcome: `ok` or an error code. */
  calls: Counter<'call' | 'outcome'>
  callSeconds: Histogram<'call'>
  jobSeconds: Histogram<'job'>
  jobFailures: Counter<'job'>
  /** When a job last succeeded, in Unix seconds. */
  jobSucceeded: Gauge<'job'>
  /** Failed calls to Stripe and PayPal. */
  gatewayFailures: Counter<'gateway'>
  /** Webhooks refused for a wrong signature, by the gateway of their path. */
  badSignatures: Counter<'gateway'>
  /** Public reads when there is a replica: from `replica`, from `primary`, or `retried` on the primary. */
  publicReads: Counter<'from'>
}

/** Metrics with all counters at zero. */
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
      help: 'When a job last succeeded.',
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
  // Initialized in advance: Prometheus sees no increase when a series first appears.
  for (const gateway of ['stripe', 'paypal']) {
    metrics.gatewayFailures.inc({ gateway }, 0)
    metrics.badSignatures.inc({ gateway }, 0)
  }
  return metrics
}
