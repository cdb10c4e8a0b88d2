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

/** Tracing that is off: nothing is loaded, kept or measured. */
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
