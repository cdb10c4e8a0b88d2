/** A command of an operator: its arguments, what it does, and the script that runs it. */
export type Command = { args: string; says: string; script: string }

/** Every command of `npm run apposite`, in the order an operator needs them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  config: {
    args: '',
    says: 'show what is set and what is missing; test the database, its replica, email and both gateways',
    script: 'config-check.ts',
  },
  backup: {
    args: 'FOLDER',
    says: 'back up database, pictures and documents into a new folder there',
    script: 'backup.ts',
  },
  restore: {
    args: 'BACKUP',
    says: 'restore a backup where there is no database yet',
    script: 'restore.ts',
  },
  'audit:verify': {
    args: '[POSITION SEAL]',
    says: 'check the whole audit log and say whether it is intact',
    script: 'audit-verify.ts',
  },
  'staff:recover': {
    args: 'EMAIL',
    says: 'let a superuser back in who has lost their password and second factor',
    script: 'staff-recover.ts',
  },
  'geo:import': {
    args: 'FILE [--include-bt]',
    says: 'load postcodes, ZIP codes, or towns and villages',
    script: 'geo-import.ts',
  },
  'registry:import': {
    args: 'gmc|gdc|npi FILE',
    says: 'load a list of registered clinicians',
    script: 'registry-import.ts',
  },
  reindex: {
    args: '',
    says: 'rebuild the search index from the providers',
    script: 'reindex.ts',
  },
}

/** The list of commands, a line each. */
export function helpText(): string {
  const rows = Object.entries(COMMANDS).map(([name, { args, says }]) => [`${name} ${args}`, says])
  const width = Math.max(...rows.map(([call = '']) => call.length)) + 2
  const lines = rows.map(([call = '', says = '']) => `  ${call.padEnd(width)}${says}`)
  return [
    'npm run apposite -- COMMAND',
    '',
    ...lines,
    '',
    'Each uses the settings of the server (README.md); npm start runs it, with a sandbox for',
    'payments at /sandbox while there are no keys of a gateway.',
    '',
  ].join('\n')
}

/** Whether a real installation needs a setting, and whether its value may be shown. */
type Setting = { needed?: true; secret?: true }

/** Every setting of the server, in the order of the README's table, which a test compares. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  DEMO_MODE: {},
  SECRET_KEY: { needed: true, secret: true },
  BANK_KEYS: { secret: true },
  PUBLIC_URL: { needed: true },
  DATABASE_URL: { secret: true },
  DATABASE_READ_URL: { secret: true },
  DATABASE_DIRECT: {},
  DATA_DIR: {},
  SMTP_URL: { needed: true, secret: true },
  MAIL_FROM: { needed: true },
  SUPPORT_EMAIL: { needed: true },
  STRIPE_SECRET_KEY: { needed: true, secret: true },
  STRIPE_PUBLISHABLE_KEY: { needed: true },
  STRIPE_WEBHOOK_SECRET: { needed: true, secret: true },
  PAYPAL_ENV: {},
  PAYPAL_CLIENT_ID: { needed: true },
  PAYPAL_CLIENT_SECRET: { needed: true, secret: true },
  PAYPAL_WEBHOOK_ID: { needed: true },
  STRIPE_API_BASE: {},
  PAYPAL_API_BASE: {},
  COMPANY_NAME: { needed: true },
  COMPANY_REGISTRATION: { needed: true },
  COMPANY_ADDRESS: { needed: true },
  REGISTRY_GMC_URL: {},
  REGISTRY_GDC_URL: {},
  REGISTRY_NPI_URL: {},
  HOST: {},
  PORT: {},
  TRUSTED_PROXIES: { needed: true },
  METRICS_TOKEN: { secret: true },
  METRICS_PORT: {},
  ROLE: {},
  OTEL_EXPORTER_OTLP_ENDPOINT: {},
  OTEL_EXPORTER_OTLP_HEADERS: { secret: true },
  OTEL_TRACES_EXPORTER: {},
  OTEL_SDK_DISABLED: {},
  TILE_URL: {},
  TILE_ATTRIBUTION: {},
  VIDEO_BASE_URL: {},
  GEO_DATA_DIR: {},
  LOG_LEVEL: {},
}

/** Which settings are set and which are not, a line each; values of secrets are not shown. */
export function settingLines(env: Record<string, string | undefined>): string[] {
  return Object.entries(SETTINGS).map(([name, { needed, secret }]) => {
    const value = env[name]?.trim() ?? ''
    if (value !== '') return `set      ${name}${secret === true ? '' : `=${value}`}`
    return `${needed === true ? 'missing ' : 'default '} ${name}`
  })
}
