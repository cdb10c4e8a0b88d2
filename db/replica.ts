import { sql } from 'kysely'
import type { Db } from './engine.ts'

/** Greatest lag in milliseconds at which a replica may be read. */
export const MAX_LAG_MS = 10_000

/** A read replica, for reads that may be slightly stale. */
export type Replica = {
  readonly db: Db
  /** Milliseconds since the latest moment whose every commit it is known to have. */
  lagMs(): number
  /** Whether it is reachable, with a lag that is small enough for reads. */
  isFresh(): boolean
  /**
   * Measures the lag; must run every second or so. Throws when the replica cannot be read, which is then not
   * used until a measurement succeeds.
   */
  measure(): Promise<void>
  /** Stops its use until it is measured again, because its connections end. */
  leave(): void
}

type Position = {
  isStandby: boolean
  /** The cluster, which a standby shares with its primary, and the database there. */
  source: string
  /** The timeline of the log; each promotion starts a new one. */
  timeline: number
  /** Log position in bytes: written, or on a standby replayed; null before it has replayed any. */
  bytes: number | null
}

/**
 * The timeline of a standby is that of the log it receives. When it receives none, or our role may not see
 * it, the last one it recorded counts, which is updated some minutes after a promotion.
 */
const TIMELINE = sql`case when pg_is_in_recovery() then greatest(
    (select received_tli from pg_stat_wal_receiver),
    (select timeline_id from pg_control_checkpoint()),
    (select min_recovery_end_timeline from pg_control_recovery()))
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`

async function readPosition(db: Db): Promise<Position> {
  const { rows } = await sql<Position>`
    select pg_is_in_recovery() as "isStandby",
      (select system_identifier from pg_control_system()) || '/' || current_database() as source,
      ${TIMELINE} as timeline,
      pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
        '0/0')::int8 as bytes`.execute(db)
  const [position] = rows
  if (position === undefined) throw new Error('Postgres does not say how far its log is.')
  return position
}

/** A promoted standby diverges, and log positions of another server cannot be compared. */
function assertFollows(replica: Position, primary: Position): void {
  if (!replica.isStandby) throw new Error('DATABASE_READ_URL does not lead to a standby.')
  if (replica.source !== primary.source) {
    throw new Error('DATABASE_READ_URL leads to a standby of another database.')
  }
  if (replica.timeline === primary.timeline) return
  throw new Error('DATABASE_READ_URL leads to a standby of a server that is no longer the primary.')
}

type Sample = { at: number; bytes: number }

/**
 * The replica behind `db`. Its lag is measured by comparing log positions: once it has replayed what the
 * primary had written at a moment, it has every commit of that moment. So an idle primary adds no lag, a
 * standby that has lost its primary lags as soon as something is written, and clocks are not compared.
 * `clock` is monotonic, in milliseconds.
 */
export function makeReplica(primary: Db, db: Db, clock: () => number): Replica {
  const samples: Sample[] = []
  let isThere = false
  // Nothing is known to be replayed yet.
  let knownAt = clock() - MAX_LAG_MS - 1

  const takeSample = async () => {
    const at = clock()
    const position = await readPosition(primary)
    const [oldest] = samples
    // The oldest sample not reached yet already tells the lag; more samples would add nothing.
    const isWaiting = oldest !== undefined && at - oldest.at > MAX_LAG_MS
    if (position.bytes !== null && !isWaiting) samples.push({ at, bytes: position.bytes })
    return position
  }

  const lagMs = () => clock() - knownAt
  return {
    db,
    lagMs,
    isFresh: () => isThere && lagMs() <= MAX_LAG_MS,
    leave: () => {
      isThere = false
    },
    async measure() {
      const position = await takeSample()
      try {
        const replayed = await readPosition(db)
        assertFollows(replayed, position)
        const { bytes } = replayed
        const reached = samples.findLastIndex((sample) => bytes !== null && sample.bytes <= bytes)
        knownAt = samples[reached]?.at ?? knownAt
        samples.splice(0, reached + 1)
        isThere = true
      } catch (error) {
        isThere = false
        throw error
      }
    },
  }
}
