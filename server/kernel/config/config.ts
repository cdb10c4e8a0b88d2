import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPublicVideoServer } from '#contract/visits-video.ts'
import { isLoopbackHost, isRange } from '#server/kernel/limits/network.ts'
import type { LogLevel } from '#server/kernel/log.ts'
import { type PaymentsConfig, readPayments } from './config-payments.ts'
import { type Environment, Reader, urlOf } from './config-reader.ts'

/** API address of each professional register; null uses the table of imported lists. */
type RegisterUrls = Readonly<Record<'GMC' | 'GDC' | 'NPI', string | null>>

/** The company that runs this installation. */
type Company = { name: string; registration: string; address: string[] }

export type Config = {
  demo: boolean
  host: string
  port: number
  /** Public address of the site, without a trailing slash. */
  publicUrl: string
  dataDir: string
  /** `sqlite:/…/apposite.db` or `postgres://…`. */
  databaseUrl: string
  /** `postgres://…` of a standby of that database, for public reads; null for none. */
  databaseReadUrl: string | null
  /**
   * Whether both connect to Postgres directly, without a pooler, so that prepared statements can be reused.
   */
  databaseDirect: boolean
  /** Master key for signing and encryption; null in a demo without one. */
  secretKey: string | null
  /** The first key encrypts bank accounts, any of them decrypts; when empty, `secretKey` does both. */
  bankKeys: string[]
  smtpUrl: string | null
  mailFrom: string
  supportEmail: string
  /** Who runs this installation, as `/company-profile` shows it. */
  company: Company
  tileUrl: string | null
  tileAttribution: string | null
  geoDataDir: string | null
  /** Our own video server, without a trailing slash: each video visit gets a room there. */
  videoBaseUrl: string | null
  /** `host:port` of calendars that tests serve on this machine; empty in a real installation. */
  outsideTestHosts: string[]
  /** Proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges. */
  trustedProxies: string[]
  captcha: boolean
  /** Token that lets other machines read `/metrics`; null limits it to this machine. */
  metricsToken: string | null
  /** Extra port that serves health and metrics, for machines that must not reach the site; null for none. */
  metricsPort: number | null
  /** What this process serves: requests, jobs, or both. */
  role: 'all' | 'web' | 'jobs'
  /** Payment gateway settings. */
  payments: PaymentsConfig
  registers: RegisterUrls
  logLevel: LogLevel
  /** Directory of the built client. */
  clientDir: string
}

/** Invalid configuration; `problems` are sentences for an operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: string[]

  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

const SECRET_BYTES = 32
const OSM_ATTRIBUTION = '© OpenStreetMap contributors'

/** Connections to another machine must be protected from eavesdropping and impersonation. */
function checkPostgres(read: Reader, name: string, url: URL): void {
  if (isLoopbackHost(url.hostname) || url.searchParams.get('sslmode') === 'verify-full') return
  read.refuse(`${name} must end in ?sslmode=verify-full, unless Postgres is on this machine.`)
}

function readDatabaseUrl(read: Reader, dataDir: string): string {
  const value = read.text('DATABASE_URL')
  if (value === null) return `sqlite:${resolve(dataDir, 'apposite.db')}`
  if (value === 'sqlite:') read.refuse('DATABASE_URL must name a file after sqlite:.')
  if (value.startsWith('sqlite:')) return value
  const url = urlOf(value, 'postgres:', 'postgresql:')
  if (url === null) read.refuse('DATABASE_URL must start with postgres:// or sqlite:.')
  else checkPostgres(read, 'DATABASE_URL', url)
  return value
}

function readReplicaUrl(read: Reader, databaseUrl: string): string | null {
  const value = read.text('DATABASE_READ_URL')
  if (value === null) return null
  const url = urlOf(value, 'postgres:', 'postgresql:')
  if (url === null) read.refuse('DATABASE_READ_URL must start with postgres://.')
  else if (databaseUrl.startsWith('sqlite:')) {
    read.refuse('DATABASE_READ_URL is for a standby of Postgres, and DATABASE_URL is SQLite.')
  } else checkPostgres(read, 'DATABASE_READ_URL', url)
  return value
}

function readDirect(read: Reader, databaseUrl: string): boolean {
  const isDirect = read.flag('DATABASE_DIRECT', false)
  if (isDirect && databaseUrl.startsWith('sqlite:')) {
    read.refuse('DATABASE_DIRECT is for Postgres, and DATABASE_URL is SQLite.')
  }
  return isDirect
}

/**
 * `none` means no proxy. It must be explicit: behind an unlisted proxy, all callers would share one network.
 */
function readProxies(read: Reader): string[] {
  if (read.text('TRUSTED_PROXIES') === 'none') return []
  const proxies = read.list('TRUSTED_PROXIES')
  if (proxies.every(isRange)) return proxies
  read.refuse('TRUSTED_PROXIES must be addresses or ranges, separated by commas, or none.')
  return []
}

function readSmtp(read: Reader): string | null {
  const value = read.url('SMTP_URL', 'smtp:', 'smtps:')
  if (value === null) return null
  const { hostname, username, password } = new URL(value)
  if (hostname === '') read.refuse('SMTP_URL must name a host.')
  if (/%(?![0-9a-f]{2})/i.test(username + password)) {
    read.refuse('SMTP_URL must have its user and password percent-encoded.')
  }
  return value
}

/** A register's response decides who may practise here, so it must not be tampered with in transit. */
function readRegister(read: Reader, name: string): string | null {
  const value = read.url(name, 'https:', 'http:')
  if (value === null) return null
  const { protocol, hostname, username } = new URL(value)
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    read.refuse(`${name} must start with https://, unless the host is this machine.`)
  }
  if (username !== '' || /[{]/.test(hostname)) {
    read.refuse(`${name} must name one host, without a user before it.`)
  }
  return value
}

function readRegisters(read: Reader): RegisterUrls {
  return {
    GMC: readRegister(read, 'REGISTRY_GMC_URL'),
    GDC: readRegister(read, 'REGISTRY_GDC_URL'),
    NPI: readRegister(read, 'REGISTRY_NPI_URL'),
  }
}

const REQUIRED_IN_PRODUCTION = [
  'SECRET_KEY',
  'PUBLIC_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'SUPPORT_EMAIL',
  'COMPANY_NAME',
  'COMPANY_REGISTRATION',
  'COMPANY_ADDRESS',
  'TRUSTED_PROXIES',
]

/** Checks what a real installation requires. */
function checkProduction(read: Reader, config: Config): void {
  for (const name of REQUIRED_IN_PRODUCTION) {
    if (read.text(name) === null) read.refuse(`${name} is missing.`)
  }
  if (!config.publicUrl.startsWith('https://') && read.text('PUBLIC_URL') !== null) {
    read.refuse('PUBLIC_URL must start with https://.')
  }
  if (!config.captcha) read.refuse('CAPTCHA=off is for tests only.')
  if (config.outsideTestHosts.length > 0) read.refuse('OUTSIDE_TEST_HOSTS is for tests only.')
  if (config.databaseUrl === 'sqlite::memory:') {
    read.refuse('DATABASE_URL=sqlite::memory: forgets everything when the server stops.')
  }
}

function readCompany(read: Reader): Company {
  const address = read.text('COMPANY_ADDRESS') ?? '1 Example Street, London, SE1 6ET'
  return {
    name: read.text('COMPANY_NAME') ?? 'Apposite Demo Ltd',
    registration: read.text('COMPANY_REGISTRATION') ?? 'Demonstration company, not registered',
    address: address.split(',').map((line) => line.trim()),
  }
}

function readPublicUrl(read: Reader, port: number): string {
  const url = read.url('PUBLIC_URL', 'https:', 'http:')
  if (url === null) return `http://localhost:${port}`
  const { origin, pathname, search, hash } = new URL(url)
  if (pathname !== '/' || search !== '' || hash !== '') {
    read.refuse('PUBLIC_URL must be the address of a site, without a path.')
  }
  return origin
}

function readTiles(read: Reader): Pick<Config, 'tileUrl' | 'tileAttribution'> {
  const tileUrl = read.text('TILE_URL')
  if (tileUrl === null) return { tileUrl, tileAttribution: null }
  const isUrl = urlOf(tileUrl.replaceAll('{s}', 's'), 'https:', 'http:') !== null
  if (!isUrl || !['{z}', '{x}', '{y}'].every((part) => tileUrl.includes(part))) {
    read.refuse('TILE_URL must be a URL with {z}, {x} and {y} in it.')
  }
  return { tileUrl, tileAttribution: read.text('TILE_ATTRIBUTION') ?? OSM_ATTRIBUTION }
}

/** Anyone who knows a room's name can enter it, so the server must not be a public one. */
function readVideo(read: Reader): string | null {
  const value = read.url('VIDEO_BASE_URL', 'https:')
  if (value === null) return null
  const { username, search, hash } = new URL(value)
  if (username !== '' || search !== '' || hash !== '') {
    read.refuse('VIDEO_BASE_URL must be an address without a user, a ? or a #.')
  }
  if (isPublicVideoServer(value)) {
    read.refuse('VIDEO_BASE_URL must be a server of your own, not one that is open to everybody.')
  }
  return value.replace(/\/+$/, '')
}

/** A demo is always a single process that does both requests and jobs. */
function readRole(read: Reader, demo: boolean): Config['role'] {
  const role = read.choice('ROLE', ['all', 'web', 'jobs'], 'all')
  if (demo && role !== 'all') read.refuse('ROLE is for real installations: a demo is one process.')
  return role
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Reads the configuration from the environment. Throws `ConfigError` with every problem at once: with
 * `DEMO_MODE=off` also for missing required settings, otherwise only for malformed ones.
 */
export function readConfig(env: Environment): Config {
  const read = new Reader(env)
  const demo = read.flag('DEMO_MODE', true)
  const dataDir = resolve(read.text('DATA_DIR') ?? '.data')
  const port = read.port('PORT') ?? 3_000
  const databaseUrl = readDatabaseUrl(read, dataDir)
  const config: Config = {
    demo,
    host: read.text('HOST') ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicUrl: readPublicUrl(read, port),
    dataDir,
    databaseUrl,
    databaseReadUrl: readReplicaUrl(read, databaseUrl),
    databaseDirect: readDirect(read, databaseUrl),
    secretKey: read.text('SECRET_KEY'),
    bankKeys: read.list('BANK_KEYS'),
    smtpUrl: readSmtp(read),
    mailFrom: read.email('MAIL_FROM') ?? 'Apposite <no-reply@apposite.example>',
    supportEmail: read.email('SUPPORT_EMAIL') ?? 'support@apposite.example',
    company: readCompany(read),
    ...readTiles(read),
    geoDataDir: read.text('GEO_DATA_DIR'),
    videoBaseUrl: readVideo(read),
    outsideTestHosts: read.list('OUTSIDE_TEST_HOSTS'),
    trustedProxies: readProxies(read),
    captcha: read.flag('CAPTCHA', true),
    metricsToken: read.text('METRICS_TOKEN'),
    metricsPort: read.port('METRICS_PORT'),
    role: readRole(read, demo),
    payments: readPayments(read, demo),
    registers: readRegisters(read),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    clientDir: fileURLToPath(new URL('../../../dist/client', import.meta.url)),
  }
  if (config.secretKey !== null && Buffer.byteLength(config.secretKey) < SECRET_BYTES) {
    read.refuse(`SECRET_KEY must be at least ${SECRET_BYTES} bytes long.`)
  }
  if (config.metricsToken !== null && Buffer.byteLength(config.metricsToken) < SECRET_BYTES) {
    read.refuse(`METRICS_TOKEN must be at least ${SECRET_BYTES} bytes long.`)
  }
  if (config.bankKeys.some((key) => Buffer.byteLength(key) < SECRET_BYTES)) {
    read.refuse(`Each of BANK_KEYS must be at least ${SECRET_BYTES} bytes long.`)
  }
  if (!demo) checkProduction(read, config)
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return config
}
