import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Histogram buckets in seconds, from a look-up to a payment that waits for its gateway. */
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

/** Span attributes: our own names and codes, and numbers, never user input. */
export type SpanFacts = Record<string, string | number>

export type Span = {
  rename(name: string): void
  setAttributes(facts: SpanFacts): void
  /** Marks the span as failed, with one of our own error names. */
  fail(type: string): void
}

/** W3C Trace Context headers of a request. */
export type TraceHeaders = { traceparent?: string; tracestate?: string }

export type NewSpan = {
  name: string
  /** A request we serve, a request we send, or neither. */
  kind: 'server' | 'client' | 'internal'
  /** Parent trace from these headers, or a new trace, regardless of the current span. */
  headers?: TraceHeaders
}

/** A finished statement, with its prepared text. */
export type EndedQuery = { text: string; durationMs: number; isFailed: boolean }

export type Tracing = {
  readonly isOn: boolean
  /** Runs `work` in a new span, a child of the current one. */
  run<T>(of: NewSpan, work: (span: Span) => Promise<T>): Promise<T>
  /** Adds a statement to the current span. */
  query(ended: EndedQuery): void
  /** The current trace id; undefined outside every span. */
  traceId(): string | undefined
  /** Exports the remaining spans, within five seconds. */
  stop(): Promise<void>
}

const NOOP_SPAN: Span = { rename() {}, setAttributes() {}, fail() {} }

/** Tracing that is off: nothing is loaded, stored or measured. */
export const NO_TRACING: Tracing = {
  isOn: false,
  run: (_of, work) => work(NOOP_SPAN),
  query() {},
  traceId: () => undefined,
  stop: () => Promise.resolve(),
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

/**
 * Whether OpenTelemetry's own variables enable tracing: an exporter other than `none` or an endpoint is set,
 * and the SDK is not disabled.
 */
export function isTracingOn(env: Record<string, string | undefined>): boolean {
  const valueOf = (name: string) => env[name]?.trim().toLowerCase() ?? ''
  if (valueOf('OTEL_SDK_DISABLED') === 'true') return false
  const exporter = valueOf('OTEL_TRACES_EXPORTER')
  return exporter === '' ? ENDPOINTS.some((name) => valueOf(name) !== '') : exporter !== 'none'
}
