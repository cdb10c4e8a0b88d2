/** What a span may say: names and codes of ours and numbers, never what somebody has written. */
export type SpanFacts = Record<string, string | number>

export type Span = {
  rename(name: string): void
  say(facts: SpanFacts): void
  /** Marks what went wrong, by a name of ours. */
  fail(type: string): void
}

/** Headers that say of which trace a request is part. */
export type TraceHeaders = { traceparent?: string; tracestate?: string }

export type NewSpan = {
  name: string
  /** What others ask of us, what we ask of others, or neither. */
  kind: 'server' | 'client' | 'internal'
  /** It belongs to the trace these name, or begins one, whatever it is called in. */
  headers?: TraceHeaders
}

/** A statement that has ended, with the text it was prepared from. */
export type EndedQuery = { text: string; durationMs: number; isFailed: boolean }

export type Tracing = {
  readonly isOn: boolean
  /** Does `work` in a span, which is part of the one it is called in. */
  run<T>(of: NewSpan, work: (span: Span) => Promise<T>): Promise<T>
  /** Adds a statement to the span it was made in. */
  query(ended: EndedQuery): void
  /** The trace of the span that runs; undefined outside of all. */
  traceId(): string | undefined
  /** Sends what is left, within five seconds. */
  stop(): Promise<void>
}

const SILENT_SPAN: Span = { rename() {}, say() {}, fail() {} }

/** Tracing that is off: nothing is loaded, kept or measured. */
export const NO_TRACING: Tracing = {
  isOn: false,
  run: (_of, work) => work(SILENT_SPAN),
  query() {},
  traceId: () => undefined,
  stop: () => Promise.resolve(),
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT']

/**
 * Whether the environment asks for traces, by OpenTelemetry's own variables: an exporter other than
 * `none`, or where to send them; and the SDK is not disabled.
 */
export function isTracingOn(env: Record<string, string | undefined>): boolean {
  const valueOf = (name: string) => env[name]?.trim().toLowerCase() ?? ''
  if (valueOf('OTEL_SDK_DISABLED') === 'true') return false
  const exporter = valueOf('OTEL_TRACES_EXPORTER')
  return exporter === '' ? ENDPOINTS.some((name) => valueOf(name) !== '') : exporter !== 'none'
}
