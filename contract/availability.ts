import * as z from 'zod/mini'
import {
  AbsenceId,
  BlockId,
  ExtraDateId,
  PlaceId,
  ProviderId,
  VisitId,
  VisitTypeId,
} from './base/ids.ts'
import { Note } from './base/people.ts'
import { IsoDate, IsoInstant } from './base/time.ts'

/** Most days one call returns: six weeks fill any month grid. */
const MAX_DAYS = 42

export const FreeTimesInput = z.strictObject({
  providerId: ProviderId,
  /** Visit type to find start times for; the provider's first type when left out. */
  typeId: z.optional(VisitTypeId),
  /** First day wanted, in the clinic's zone; today when left out. */
  from: z.optional(z.iso.date({ error: 'date_invalid' })),
  days: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DAYS)), 14),
})
export type FreeTimesInput = z.infer<typeof FreeTimesInput>

/** Free times by day in the clinic's zone. Days without any are left out. */
export const FreeTimes = z.object({
  timeZone: z.string(),
  consultationMinutes: z.int(),
  from: IsoDate,
  to: IsoDate,
  days: z.array(
    z.object({
      date: IsoDate,
      /** `place` is its name; left out where the provider has only one. */
      slots: z.array(z.object({ startsAt: IsoInstant, place: z.optional(z.string()) })),
    }),
  ),
  /** Earliest free time at all, even outside the requested days. */
  nextFree: z.nullable(IsoInstant),
  /** First day after `to` that has a free time, for "jump to". */
  nextDay: z.nullable(IsoDate),
})
export type FreeTimes = z.infer<typeof FreeTimes>

/** Most ranges of hours in one rotation: three a day for four weeks; drafts travel in a URL. */
const MAX_HOURS = 100
/** Most days added at once. */
export const MAX_DATES_AT_ONCE = 60
const NOTICE_MAX_MINUTES = 20_160
const HORIZON_MAX_DAYS = 180
const BUFFER_MAX_MINUTES = 120
/** Days a preview shows by default: four weeks. */
export const PREVIEW_DAYS = 28

const validDate = z.iso.date({ error: 'date_invalid' })

/** Minutes after midnight in the local time of the place; 1,440 is the end of the day. */
const WallMinutes = z.int().check(z.minimum(0), z.maximum(1_440))

/** Hours of one weekday at one place, in one week of the rotation. */
const WeeklyHours = z.strictObject({
  placeId: PlaceId,
  /** 1 up to `rotation.weeks`. */
  week: z.int().check(z.minimum(1), z.maximum(4)),
  /** 1 is Monday, 7 is Sunday. */
  weekday: z.int().check(z.minimum(1), z.maximum(7)),
  from: WallMinutes,
  to: WallMinutes,
})
export type WeeklyHours = z.infer<typeof WeeklyHours>

const AvailabilitySettings = z.strictObject({
  /** Minimum notice: times nearer than this are not offered. */
  noticeMinutes: z.int().check(z.minimum(0), z.maximum(NOTICE_MAX_MINUTES)),
  /** How many days after today times are offered. */
  horizonDays: z.int().check(z.minimum(1), z.maximum(HORIZON_MAX_DAYS)),
  /** Time kept free between two visits. */
  bufferMinutes: z.int().check(z.minimum(0), z.maximum(BUFFER_MAX_MINUTES)),
  /** Nothing is offered on public holidays of the place's region; extra dates still are. */
  closedOnHolidays: z.boolean(),
  rotation: z.strictObject({
    /** 1 means every week is the same. */
    weeks: z.int().check(z.minimum(1), z.maximum(4)),
    /** A date in week 1 of the rotation. */
    from: validDate,
  }),
})
export type AvailabilitySettings = z.infer<typeof AvailabilitySettings>

const HoursDraft = {
  settings: AvailabilitySettings,
  hours: z.array(WeeklyHours).check(z.maxLength(MAX_HOURS)),
}

const ExtraDate = z.object({
  id: ExtraDateId,
  placeId: PlaceId,
  date: IsoDate,
  from: WallMinutes,
  to: WallMinutes,
  note: z.string(),
})

const Absence = z.object({
  id: AbsenceId,
  /** Null means away from every place. */
  placeId: z.nullable(PlaceId),
  /** First and last day, both included. */
  from: IsoDate,
  to: IsoDate,
  note: z.string(),
})

/** Part of a day without bookings, in the local time of the main place. */
const Block = z.object({
  id: BlockId,
  /** The day, or the first day of a weekly block. */
  date: IsoDate,
  /** Repeats every seven days. */
  weekly: z.boolean(),
  /** Last day of a weekly block; null means no end. */
  until: z.nullable(IsoDate),
  from: WallMinutes,
  to: WallMinutes,
  note: z.string(),
})

/** Which public holidays a place observes. */
export const HolidayCalendar = z.enum(['england_wales', 'scotland', 'northern_ireland', 'usa'])
export type HolidayCalendar = z.infer<typeof HolidayCalendar>

/** A provider's settings, and the facts they depend on. */
export const Availability = z.object({
  /** Sent with every change; 0 until something has been set. */
  version: z.int(),
  consultationMinutes: z.int(),
  /** Today in the zone of the main place. */
  today: IsoDate,
  /** The main place first. */
  places: z.array(
    z.object({
      id: PlaceId,
      name: z.string(),
      locality: z.string(),
      postcode: z.string(),
      timeZone: z.string(),
      holidays: HolidayCalendar,
    }),
  ),
  settings: AvailabilitySettings,
  hours: z.array(WeeklyHours),
  /** Upcoming ones, by day. */
  extraDates: z.array(ExtraDate),
  /** Current and upcoming ones, by day. */
  absences: z.array(Absence),
  /** Current and upcoming ones, by day. */
  blocks: z.array(Block),
  /** The public holidays of the main place in the coming year. */
  holidays: z.array(z.object({ date: IsoDate, name: z.string() })),
})
export type Availability = z.infer<typeof Availability>

/** A booked visit outside the rules, or one added at the desk. */
export const VisitOutside = z.object({
  id: VisitId,
  /** For a desk visit, whether the patient phoned or walked in. */
  patient: z.string(),
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  timeZone: z.string(),
  placeId: PlaceId,
})
export type VisitOutside = z.infer<typeof VisitOutside>

/** Fields that every change carries. */
const change = {
  version: z.int(),
  /** Ids of visits that were listed as outside the new rules and may stay booked. */
  confirmed: z.optional(z.array(VisitId).check(z.maxLength(1_000))),
}

/** `saved: false` means nothing changed: visits would lie outside that were not confirmed. */
export const ChangeResponse = z.object({
  saved: z.boolean(),
  /** Booked visits that this change puts outside the rules. They stay booked. */
  conflicts: z.array(VisitOutside),
  /** As it is now. */
  mine: Availability,
})
export type ChangeResponse = z.infer<typeof ChangeResponse>

export const SaveHoursInput = z.strictObject({ ...change, ...HoursDraft })
export type SaveHoursInput = z.infer<typeof SaveHoursInput>

export const AddDatesInput = z.strictObject({
  ...change,
  placeId: PlaceId,
  dates: z.array(validDate).check(z.minLength(1), z.maxLength(MAX_DATES_AT_ONCE)),
  from: WallMinutes,
  to: WallMinutes,
  note: z._default(Note, ''),
  /** The extra date that these replace, when editing; the first of them keeps its id. */
  replaces: z.optional(ExtraDateId),
})
export type AddDatesInput = z.infer<typeof AddDatesInput>

export const AddAbsenceInput = z.strictObject({
  ...change,
  placeId: z.nullable(PlaceId),
  from: validDate,
  to: validDate,
  note: z._default(Note, ''),
  /** The absence that this one replaces, when editing; the id stays. */
  replaces: z.optional(AbsenceId),
})
export type AddAbsenceInput = z.infer<typeof AddAbsenceInput>

export const AddBlockInput = z.strictObject({
  ...change,
  date: validDate,
  weekly: z._default(z.boolean(), false),
  /** Weekly blocks only. */
  until: z._default(z.nullable(validDate), null),
  from: WallMinutes,
  to: WallMinutes,
  note: z._default(Note, ''),
  /** The block that this one replaces, when editing; the id stays. */
  replaces: z.optional(BlockId),
})
export type AddBlockInput = z.infer<typeof AddBlockInput>

export const RemoveDateInput = z.strictObject({ ...change, id: ExtraDateId })
export type RemoveDateInput = z.infer<typeof RemoveDateInput>

export const RemoveAbsenceInput = z.strictObject({ ...change, id: AbsenceId })
export type RemoveAbsenceInput = z.infer<typeof RemoveAbsenceInput>

export const RemoveBlockInput = z.strictObject({ ...change, id: BlockId })
export type RemoveBlockInput = z.infer<typeof RemoveBlockInput>

const draft = z.optional(z.strictObject(HoursDraft))

export const PreviewInput = z.strictObject({
  /** Unsaved hours; the saved ones when left out. */
  draft,
  /** Today when left out. */
  from: z.optional(validDate),
  days: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DAYS)), PREVIEW_DAYS),
})
export type PreviewInput = z.infer<typeof PreviewInput>

/** Why nothing can be booked on a whole day. */
const DayClosed = z.enum(['past', 'no_hours', 'absence', 'holiday', 'horizon'])
export type DayClosed = z.infer<typeof DayClosed>

export const PreviewDay = z.object({
  date: IsoDate,
  /** Null on days with hours, even when fully booked. */
  closed: z.nullable(DayClosed),
  /** Name of the public holiday, whether it is observed or not. */
  holiday: z.nullable(z.string()),
  /** Note of the absence. */
  note: z.string(),
  /** Hours of the day in chronological order, even when it is closed. */
  hours: z.array(
    z.object({ placeId: PlaceId, from: WallMinutes, to: WallMinutes, extra: z.boolean() }),
  ),
  free: z.int(),
  held: z.int(),
  booked: z.int(),
  /** How many booked visits lie outside the hours. */
  outside: z.int(),
})
export type PreviewDay = z.infer<typeof PreviewDay>

export const Preview = z.object({
  timeZone: z.string(),
  days: z.array(PreviewDay),
  /** Booked visits that would lie outside if the draft were saved. */
  conflicts: z.array(VisitOutside),
})
export type Preview = z.infer<typeof Preview>

/** Most days a calendar shows at once. */
const MAX_CALENDAR_DAYS = 7

export const WeekInput = z.strictObject({
  /** First day, at the main place. */
  from: validDate,
  days: z._default(z.int().check(z.minimum(1), z.maximum(MAX_CALENDAR_DAYS)), MAX_CALENDAR_DAYS),
})
export type WeekInput = z.infer<typeof WeekInput>

export const ExplainInput = z.strictObject({
  draft,
  date: validDate,
  /** `09:30`; the whole day when left out. */
  time: z.optional(
    z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'date_invalid' })),
  ),
  /** The main place when left out. */
  placeId: z.optional(PlaceId),
})
export type ExplainInput = z.infer<typeof ExplainInput>

/** What a range within a day is, and why a time is not offered. */
export const TimeReason = z.enum([
  'free',
  'booked',
  'held',
  'past',
  'notice',
  'buffer',
  'between_visits',
  'outside_hours',
  'absence',
  'blocked',
  'outside_calendar',
  'holiday',
  'horizon',
  'clock_change',
  'not_listed',
])
export type TimeReason = z.infer<typeof TimeReason>

/** A range within a day, and what it is. */
const DayStretch = z.object({
  startsAt: IsoInstant,
  endsAt: IsoInstant,
  reason: TimeReason,
  /** The place these hours belong to; null outside all hours. */
  placeId: z.nullable(PlaceId),
  /** Its ends for a person, "09:00", with the zone's name where clocks going back repeat them. */
  from: z.string(),
  to: z.string(),
  /** What it is, for a person: "Minimum notice (2 hours)". */
  label: z.string(),
  /** All of it: "09:00 to 11:00: Minimum notice (2 hours)". */
  text: z.string(),
})

/** What each day of a week consists of; visits are fetched separately. */
export const WeekPlan = z.object({
  timeZone: z.string(),
  /** Today at the main place. */
  today: IsoDate,
  days: z.array(
    z.object({
      date: IsoDate,
      /** From the first to the last minute without a gap: 23 or 25 hours when clocks change. */
      stretches: z.array(DayStretch),
    }),
  ),
})
export type WeekPlan = z.infer<typeof WeekPlan>

export const Explanation = z.object({
  timeZone: z.string(),
  /** The day from its first to its last minute without a gap: 23 or 25 hours when clocks change. */
  stretches: z.array(DayStretch),
  /** About the requested time; null when none was given. */
  answer: z.nullable(
    z.object({
      offered: z.boolean(),
      /** Empty when offered; otherwise every obstacle, in whole sentences. */
      reasons: z.array(z.object({ reason: TimeReason, text: z.string() })),
      /** Up to three offered times of that day, nearest first. */
      nearest: z.array(IsoInstant),
    }),
  ),
})
export type Explanation = z.infer<typeof Explanation>
