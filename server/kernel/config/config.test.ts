import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const real = {
  DEMO_MODE: 'off',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://care.example',
  SMTP_URL: 'smtps://user:pass@mail.example',
  MAIL_FROM: 'Apposite <no-reply@care.example>',
  SUPPORT_EMAIL: 'help@care.example',
  COMPANY_NAME: 'Care Ltd',
  COMPANY_REGISTRATION: 'England and Wales 01234567',
  COMPANY_ADDRESS: '2 High Street, Leeds, LS1 4AP',
  TRUSTED_PROXIES: '10.0.0.0/8',
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  PAYPAL_ENV: 'production',
  PAYPAL_CLIENT_ID: 'client',
  PAYPAL_CLIENT_SECRET: 'client-secret',
  PAYPAL_WEBHOOK_ID: 'webhook',
}

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('an empty environment is a demo for this machine only, with a database file', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    demo: true,
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    tileUrl: null,
    tileAttribution: null,
    smtpUrl: null,
    logLevel: 'info',
    trustedProxies: [],
  })
  expect(config.databaseUrl).toBe(`sqlite:${config.dataDir}/apposite.db`)
  expect(config.dataDir).toMatch(/\.data$/)
})

test('a demo accepts other machines only when HOST says so', () => {
  expect(readConfig({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
})

test('a real installation with everything set starts, and accepts other machines', () => {
  const config = readConfig(real)
  expect(config).toMatchObject({ demo: false, host: '0.0.0.0', publicUrl: 'https://care.example' })
  expect(config.company).toEqual({
    name: 'Care Ltd',
    registration: 'England and Wales 01234567',
    address: ['2 High Street', 'Leeds', 'LS1 4AP'],
  })
})

test('a real installation reports everything missing at once', () => {
  expect(problemsOf({ DEMO_MODE: 'off' })).toEqual([
    'STRIPE_SECRET_KEY is missing.',
    'STRIPE_PUBLISHABLE_KEY is missing.',
    'STRIPE_WEBHOOK_SECRET is missing.',
    'PAYPAL_CLIENT_ID is missing.',
    'PAYPAL_CLIENT_SECRET is missing.',
    'PAYPAL_WEBHOOK_ID is missing.',
    'SECRET_KEY is missing.',
    'PUBLIC_URL is missing.',
    'SMTP_URL is missing.',
    'MAIL_FROM is missing.',
    'SUPPORT_EMAIL is missing.',
    'COMPANY_NAME is missing.',
    'COMPANY_REGISTRATION is missing.',
    'COMPANY_ADDRESS is missing.',
    'TRUSTED_PROXIES is missing.',
  ])
})

test.each(Object.keys(real).filter((name) => !['DEMO_MODE', 'PAYPAL_ENV'].includes(name)))(
  'a real installation does not start without %s, nor with an empty one',
  (name) => {
    expect(problemsOf({ ...real, [name]: undefined })).toEqual([`${name} is missing.`])
    expect(problemsOf({ ...real, [name]: '  ' })).toEqual([`${name} is missing.`])
  },
)

test.each([
  [{ SECRET_KEY: 'x'.repeat(31) }, 'SECRET_KEY must be at least 32 bytes long.'],
  [{ PUBLIC_URL: 'http://care.example' }, 'PUBLIC_URL must start with https://.'],
  [{ CAPTCHA: 'off' }, 'CAPTCHA=off is for tests only.'],
  [{ OUTSIDE_TEST_HOSTS: '127.0.0.1:8080' }, 'OUTSIDE_TEST_HOSTS is for tests only.'],
  [
    { DATABASE_URL: 'sqlite::memory:' },
    'DATABASE_URL=sqlite::memory: forgets everything when the server stops.',
  ],
])('a real installation refuses %o', (env, problem) => {
  expect(problemsOf({ ...real, ...env })).toEqual([problem])
})

test.each([
  [{ DEMO_MODE: 'perhaps' }, 'DEMO_MODE must be "on" or "off".'],
  [{ CAPTCHA: '1' }, 'CAPTCHA must be "on" or "off".'],
  [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535.'],
  [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535.'],
  [{ PORT: '-1' }, 'PORT must be a number from 0 to 65535.'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32 bytes long.'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must be at least 32 bytes long.'],
  [
    { PUBLIC_URL: 'care.example' },
    'PUBLIC_URL must be a URL that starts with https:// or http://.',
  ],
  [
    { PUBLIC_URL: 'https://care.example/app' },
    'PUBLIC_URL must be the address of a site, without a path.',
  ],
  [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL must start with postgres:// or sqlite:.'],
  [
    { DATABASE_URL: 'postgres://db.example/apposite' },
    'DATABASE_URL must end in ?sslmode=verify-full, unless Postgres is on this machine.',
  ],
  [
    { DATABASE_URL: 'postgres://db.example/apposite?sslmode=require' },
    'DATABASE_URL must end in ?sslmode=verify-full, unless Postgres is on this machine.',
  ],
  [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL must be a URL that starts with smtp:// or smtps://.'],
  [{ MAIL_FROM: 'Apposite' }, 'MAIL_FROM must be an e-mail address.'],
  [{ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, 'MAIL_FROM must be an e-mail address.'],
  [{ SUPPORT_EMAIL: 'help at care' }, 'SUPPORT_EMAIL must be an e-mail address.'],
  [
    { TILE_URL: 'https://tiles.example/{z}.png' },
    'TILE_URL must be a URL with {z}, {x} and {y} in it.',
  ],
  [{ TILE_URL: 'tiles/{z}/{x}/{y}' }, 'TILE_URL must be a URL with {z}, {x} and {y} in it.'],
  [
    { TRUSTED_PROXIES: 'the proxy' },
    'TRUSTED_PROXIES must be addresses or ranges, separated by commas, or none.',
  ],
  ...['none, 10.0.0.1', '10.0.0.0/99', 'cafe', '1.2.3', '::1/129', '300.1.1.1', '10.0.0.1,'].map(
    (proxies): [Record<string, string>, string] => [
      { TRUSTED_PROXIES: proxies },
      'TRUSTED_PROXIES must be addresses or ranges, separated by commas, or none.',
    ],
  ),
  [{ SMTP_URL: 'smtp://' }, 'SMTP_URL must name a host.'],
  [
    { SMTP_URL: 'smtp://user%ZZ:pass@mail.example' },
    'SMTP_URL must have its user and password percent-encoded.',
  ],
  [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL must name a file after sqlite:.'],
  [
    { DATABASE_READ_URL: 'postgres://localhost/x' },
    'DATABASE_READ_URL is for a standby of Postgres, and DATABASE_URL is SQLite.',
  ],
  [{ DATABASE_DIRECT: 'on' }, 'DATABASE_DIRECT is for Postgres, and DATABASE_URL is SQLite.'],
  [
    { DATABASE_URL: 'postgres://localhost/x', DATABASE_READ_URL: 'sqlite:/var/x.db' },
    'DATABASE_READ_URL must start with postgres://.',
  ],
  [
    { DATABASE_URL: 'postgres://localhost/x', DATABASE_READ_URL: 'postgres://db.example/x' },
    'DATABASE_READ_URL must end in ?sslmode=verify-full, unless Postgres is on this machine.',
  ],
  [
    { LOG_LEVEL: 'loud' },
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
  ],
  [
    { REGISTRY_GMC_URL: 'gmc' },
    'REGISTRY_GMC_URL must be a URL that starts with https:// or http://.',
  ],
])('even a demo refuses %o', (env, problem) => {
  expect(problemsOf(env)).toEqual([problem])
})

test.each([
  'postgres://user:secret@localhost:5432/apposite',
  'postgres://127.0.0.1/apposite',
  'postgresql://[::1]/apposite',
  'postgres://db.example/apposite?sslmode=verify-full',
  'sqlite:/var/lib/apposite/apposite.db',
])('the database may be %s', (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

test('tiles come with the attribution of OpenStreetMap unless another is given', () => {
  const tiles = { TILE_URL: 'https://{s}.tiles.example/{z}/{x}/{y}.png' }
  expect(readConfig(tiles).tileAttribution).toBe('© OpenStreetMap contributors')
  expect(readConfig({ ...tiles, TILE_ATTRIBUTION: 'Us' }).tileAttribution).toBe('Us')
})

test('proxies are a list of addresses and ranges', () => {
  expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual([
    '10.0.0.0/8',
    '::1',
  ])
})

test('a real installation without proxies sets TRUSTED_PROXIES to none', () => {
  expect(readConfig(real).trustedProxies).toEqual(['10.0.0.0/8'])
  expect(readConfig({ ...real, TRUSTED_PROXIES: 'none' }).trustedProxies).toEqual([])
})

test.each([
  ['http://video.care.example', 'VIDEO_BASE_URL must be a URL that starts with https://.'],
  ...[
    'https://meet.jit.si',
    'https://meet.jit.si.',
    'https://MEET.jit.si:8443/',
    'https://a.jit.si',
  ].map((url): [string, string] => [
    url,
    'VIDEO_BASE_URL must be a server of your own, not one that is open to everybody.',
  ]),
  [
    'https://video.care.example/?a=b',
    'VIDEO_BASE_URL must be an address without a user, a ? or a #.',
  ],
  [
    'https://me@video.care.example',
    'VIDEO_BASE_URL must be an address without a user, a ? or a #.',
  ],
])('the video server %s is refused', (url, problem) => {
  expect(problemsOf({ VIDEO_BASE_URL: url })).toEqual([problem])
})

test('a video server’s trailing slash is removed', () => {
  const { videoBaseUrl } = readConfig({ VIDEO_BASE_URL: 'https://video.care.example/rooms/' })
  expect(videoBaseUrl).toBe('https://video.care.example/rooms')
  expect(readConfig({}).videoBaseUrl).toBeNull()
})
