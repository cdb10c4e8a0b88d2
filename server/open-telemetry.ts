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
import type { EndedQuery, NewSpan, Span, Tracing } from './kernel/tracing.ts'

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const

const STOP_WITHIN_MS = 5_000

/** Values are parameters, but for the few that we write into a statement ourselves. */
function withoutTexts(statement: string): string {
  return statement.replaceAll(/'(?:[^']|'')*'/g, "'?'")
}

function spanOf(span: OtelSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    say: (facts) => void span.setAttributes(facts),
    fail(type) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', type)
    },
  }
}

function contextOf({ headers }: NewSpan): Context {
  return headers === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, headers)
}

/** What is thrown is named by its kind: its words may quote what somebody wrote. */
async function inSpan<T>(
  tracer: Tracer,
  of: NewSpan,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const parent = contextOf(of)
  const span = tracer.startSpan(of.name, { kind: KINDS[of.kind] }, parent)
  const told = spanOf(span)
  try {
    return await context.with(trace.setSpan(parent, span), () => work(told))
  } catch (error) {
    told.fail(error instanceof Error ? error.name : typeof error)
    throw error
  } finally {
    span.end()
  }
}

/** A statement outside of all spans, as of a start, is nobody's. */
function addQuery(tracer: Tracer, { text, durationMs, isFailed }: EndedQuery): void {
  if (trace.getActiveSpan() === undefined) return
  const ended = now()
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const span = tracer.startSpan(`db ${operation}`, {
    kind: SpanKind.CLIENT,
    startTime: ended - durationMs,
    attributes: { 'db.query.text': withoutTexts(text) },
  })
  if (isFailed) spanOf(span).fail('query_failed')
  span.end(ended)
}

/**
 * Traces through OpenTelemetry's SDK, which reads its own variables of this process: exporter, sampler,
 * batches, resource. No module is instrumented, so that no header of ours goes to others.
 */
export function makeTracing(env: Record<string, string | undefined>): Tracing {
  const isNamed =
    env['OTEL_SERVICE_NAME'] !== undefined ||
    (env['OTEL_RESOURCE_ATTRIBUTES'] ?? '').includes('service.name=')
  const sdk = new NodeSDK({
    ...(isNamed ? {} : { serviceName: 'apposite' }),
    // Traces alone: numbers are Prometheus', logs are lines.
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
      // A collector that is away keeps nobody from stopping.
      const sent = sdk.shutdown().catch(() => undefined)
      await Promise.race([sent, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}
