import type { Command } from './bootstrap/command-line.mjs'

/** A command of an operator, and the script that runs it. */
type OperatorCommand = Command & { script: string }

/** Every command of `npm run apposite`, in the order an operator needs them. */
export const COMMANDS = {
  config: {
    run: 'npm run apposite -- config',
    says: 'Show what is set and what is missing; test the database, its replica, email and both gateways.',
    script: 'config-check.ts',
    more: 'Exits with 1 when something does not work, with 2 when the server would not start.',
  },
  backup: {
    run: 'npm run backup',
    args: ['FOLDER'],
    says: 'Back up database, pictures and documents into a new folder there.',
    asks: 'Name the folder to back up to',
    script: 'backup.ts',
  },
  restore: {
    run: 'npm run restore',
    args: ['BACKUP'],
    says: 'Restore a backup where there is no database yet.',
    asks: 'Name the backup',
    script: 'restore.ts',
  },
  'audit:verify': {
    run: 'npm run audit:verify',
    args: ['[POSITION', 'SEAL]'],
    says: 'Check the whole audit log and say whether it is intact.',
    dashed: /^-[\w-]{42}$/,
    script: 'audit-verify.ts',
    more: `POSITION and SEAL are a head that the server has logged ("the head of the audit log"): with
them a log that was cut off at its end is detected as well. Exits with 1 when the log is
broken, with 2 when that cannot be told.
`,
  },
  'staff:recover': {
    run: 'npm run staff:recover',
    args: ['EMAIL'],
    says: 'Let a superuser back in who has lost their password and second factor.',
    asks: 'Name the superuser',
    script: 'staff-recover.ts',
  },
  'geo:import': {
    run: 'npm run geo:import',
    args: ['FILE'],
    says: 'Load postcodes, ZIP codes, or towns and villages, from a file or a folder of files.',
    asks: 'Name the file or folder to read',
    surplus: 'One file or folder at a time, please.',
    script: 'geo-import.ts',
    options: {
      'include-bt': {
        type: 'boolean',
        default: false,
        says: `Take Northern Irish postcodes as well. They are not open data: this
                confirms that you hold a licence of Land & Property Services for them.`,
      },
    },
    more: `It may be packed as it was fetched (.zip, .gz):
  Code-Point Open         UK, from Ordnance Survey
  ONSPD or NSPL           UK, from the Office for National Statistics
  postcode,lat,lon        UK, a CSV with this first line
  Census gazetteer        USA, "ZIP Code Tabulation Areas"
  GeoNames postal codes   USA, US.txt
  GeoNames places         both, towns and villages: GB.txt, US.txt or cities500.txt
`,
  },
  'registry:import': {
    run: 'npm run registry:import',
    args: ['gmc|gdc|npi', 'FILE'],
    says: 'Load a list of registered clinicians, in place of the previous one.',
    asks: 'Name the register and the file',
    script: 'registry-import.ts',
    options: {
      force: {
        type: 'boolean',
        default: false,
        says: 'Replace the list even if many rows are bad, or most of its entries would go.',
      },
    },
    more: `For example: npm run registry:import -- gmc FILE.csv

It may be packed (.zip, .gz). The first line names the columns, in any order; others are ignored:
  gmc   GMC Ref No, Given Name, Surname, Registration Status
        and, if there, FTP Conditions Exist, FTP Undertakings Exist (the list the GMC licenses)
  gdc   Registration Number, Forenames, Surname, Status
  npi   NPI, Provider First Name, Provider Last Name (Legal Name), NPI Deactivation Date
        and, if there, NPI Reactivation Date, Entity Type Code (the NPPES download)
  All three may also be named registration_number, first_name, last_name, status.
`,
  },
  reindex: {
    run: 'npm run apposite -- reindex',
    says: 'Rebuild the search index from the providers.',
    script: 'reindex.ts',
  },
} as const satisfies Record<string, OperatorCommand>

const topologyOptions = {
  pgbouncer: { type: 'boolean', default: true, says: 'Connect to Postgres directly.' },
  keep: { type: 'boolean', default: false, says: 'Keep the folder with data and logs.' },
} as const satisfies Command['options']

/** The commands of those who change the program, by the name of their npm script. */
export const TOOLS = {
  test: {
    run: 'npm test',
    args: ['[STEP…]'],
    says: 'Run all checks and tests; or some steps: check for all that needs no running product, or steps by name.',
  },
  build: { run: 'npm run build', says: 'Build the pages into dist.' },
  bench: {
    run: 'npm run bench',
    says: 'Run the benchmarks.',
    options: {
      quick: { type: 'boolean', default: false, says: 'Small runs, which only show clear misses.' },
      only: {
        type: 'string',
        value: 'N,N',
        default: '',
        says: 'Only the bars with these numbers.',
      },
    },
  },
  fuzz: {
    run: 'npm run fuzz',
    says: 'Send generated requests, 100,000 by default.',
    more: 'FUZZ_SEED repeats a run; FUZZ_COUNT sets the number of requests.',
  },
  topology: {
    run: 'npm run topology',
    says: 'Start Postgres, PgBouncer, two processes for requests and one for jobs, until Ctrl-C.',
    options: {
      ...topologyOptions,
      standby: { type: 'boolean', default: false, says: 'Add a read replica.' },
    },
  },
  drill: {
    run: 'npm run drill',
    says: 'Run the topology under load while parts of it fail, and check all records afterwards.',
    options: {
      ...topologyOptions,
      standby: { type: 'boolean', default: true, says: 'Without a read replica.' },
      minutes: { type: 'string', value: 'N', default: '10', number: true, says: 'How long.' },
      clients: { type: 'string', value: 'N', default: '12', number: true, says: 'How many.' },
      think: {
        type: 'string',
        value: 'MS',
        default: '400',
        number: true,
        says: 'How long a client waits between two steps, in milliseconds.',
      },
      seed: { type: 'string', value: 'N', default: '1', number: true, says: 'Repeats a run.' },
    },
  },
  licences: {
    run: 'npm run licences',
    says: 'List the licences of all packages; exits with 1 when NOTICE lacks one it has to name.',
  },
  'docs:pictures': {
    run: 'npm run docs:pictures',
    args: ['[SITE]'],
    says: 'Take the screenshots in docs from a running demo, http://localhost:3000 by default.',
  },
  'geo:build': {
    run: 'npm run geo:build',
    args: ['FILE', '[OUTPUT]'],
    says: 'Build the table of postcode sectors from a list of all live postcodes.',
    asks: 'Name the file to read',
  },
  'geo:zones': {
    run: 'npm run geo:zones',
    args: ['FOLDER', '[OUTPUT]'],
    says: 'Build the table of time zones of ZIP codes from the boundaries of geo-tz.',
    asks: 'Name the folder with geo-tz',
    more: 'First install them in that folder: npm install --prefix FOLDER geo-tz',
  },
  'migration:new': {
    run: 'npm run migration:new',
    args: ['NAME'],
    says: 'Add the next numbered migration.',
    asks: 'Name the migration in kebab case, such as bank-accounts',
  },
} as const satisfies Record<string, Command>
