import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Context,
  context,
  type Span as OtelSpan,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { now } from './kernel/clock.ts'
import type { EndedQuery, NewSpan, Span, Tracing } from './kernel/telemetry.ts'

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const

const STOP_WITHIN_MS = 5_000

/** Values are bound parameters, except a few literals that we write into statements. */
function withoutLiterals(statement: string): string {
  return statement.replaceAll(/'(?:[^']|'')*'/g, "'?'")
}

function spanOf(span: OtelSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    setAttributes: (facts) => void span.setAttributes(facts),
    fail(type) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', type)
    },
  }
}

function contextOf({ headers }: NewSpan): Context {
  return headers === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, headers)
}

/** A failed span is named after the error's type: the message may quote user input. */
async function inSpan<T>(
  tracer: Tracer,
  of: NewSpan,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = contextOf(of)
  const span = tracer.startSpan(of.name, { kind: KINDS[of.kind] }, parent)
  const wrapped = spanOf(span)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(wrapped))
  } catch (error) {
    wrapped.fail(error instanceof Error ? error.name : typeof error)
    throw error
  } finally {
    span.end()
  }
}

/** Statements outside every span, such as those at startup, are not traced. */
function addQuery(tracer: Tracer, { text, durationMs, isFailed }: EndedQuery): void {
  if (trace.getActiveSpan() === undefined) return
  const ended = now()
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const span = tracer.startSpan(`db ${operation}`, {
    kind: SpanKind.CLIENT,
    startTime: ended - durationMs,
    attributes: { 'db.query.text': withoutLiterals(text) },
  })
  if (isFailed) spanOf(span).fail('query_failed')
  span.end(ended)
}

/**
 * Traces through OpenTelemetry's SDK, which reads its own environment variables: exporter, sampler, batches,
 * resource. No module is instrumented, so that no trace headers are sent to third parties.
 */
export function makeTracing(env: Record<string, string | undefined>): Tracing {
  const isNamed =
    env['OTEL_SERVICE_NAME'] !== undefined ||
    (env['OTEL_RESOURCE_ATTRIBUTES'] ?? '').includes('service.name=')
  const sdk = new NodeSDK({
    ...(isNamed ? {} : { serviceName: 'apposite' }),
    // Traces only: metrics go through Prometheus, logs are written as lines.
    metricReaders: [],
    logRecordProcessors: [],
  })
  sdk.start()
  const tracer = trace.getTracer('apposite')
  return {
    isOn: true,
    run: (of, work) => inSpan(tracer, of, work),
    query: (ended) => addQuery(tracer, ended),
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    stop: async () => {
      // An unavailable collector must not block the shutdown.
      const sent = sdk.shutdown().catch(() => undefined)
      await Promise.race([sent, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}
