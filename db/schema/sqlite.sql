CREATE TABLE absences (
  id text primary key,
  provider_no integer not null references providers (no),
  place_no integer references places (no),
  from_date text not null,
  to_date text not null,
  note text not null,
  constraint absences_order check (to_date >= from_date)
);
CREATE INDEX absences_provider on absences (provider_no);

CREATE TABLE access_tokens (
  id text primary key,
  account_no integer not null references accounts (no),
  hash text not null unique,
  last4 text not null,
  name text not null,
  scopes text not null,
  role text,
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  last_network text,
  ended_at bigint,
  end_reason text
);
CREATE INDEX access_tokens_account on access_tokens (account_no, ended_at);

CREATE TABLE accounts (
  no integer primary key,
  id text not null unique,
  kind text not null,
  email text not null,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  phone_number text not null,
  date_of_birth text,
  profile_image text,
  provider_no integer references providers (no),
  role text,
  email_verified_at bigint,
  suspended_at bigint,
  erased_at bigint,
  totp_secret text,
  totp_pending text,
  totp_confirmed_at bigint,
  totp_last_step integer not null default 0,
  must_change_password integer not null default 0,
  default_radius integer not null default 10,
  terms_accepted_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  first_password_used_at bigint,
  constraint accounts_kind_email unique (kind, email)
);
CREATE INDEX accounts_first_name on accounts (lower(first_name) ) where kind = 'patient';
CREATE INDEX accounts_in_order on accounts (last_name, first_name, no) where kind = 'patient';
CREATE INDEX accounts_last_name on accounts (lower(last_name) ) where kind = 'patient';
CREATE INDEX accounts_staff on accounts (no) where kind = 'staff';
CREATE TRIGGER accounts_keep_a_superuser
      before update of kind, role, suspended_at, erased_at on accounts
      when ("old"."kind" = 'staff' and "old"."role" = 'superuser'
    and "old"."suspended_at" is null and "old"."erased_at" is null) and not coalesce(("new"."kind" = 'staff' and "new"."role" = 'superuser'
    and "new"."suspended_at" is null and "new"."erased_at" is null), 0) begin select raise(abort, 'accounts_keep_a_superuser') where not exists (select 1 from accounts other
    where other.no <> old.no and ("other"."kind" = 'staff' and "other"."role" = 'superuser'
    and "other"."suspended_at" is null and "other"."erased_at" is null)); end;
CREATE TRIGGER accounts_keep_a_superuser_row before delete on accounts
      when ("old"."kind" = 'staff' and "old"."role" = 'superuser'
    and "old"."suspended_at" is null and "old"."erased_at" is null) begin select raise(abort, 'accounts_keep_a_superuser') where not exists (select 1 from accounts other
    where other.no <> old.no and ("other"."kind" = 'staff' and "other"."role" = 'superuser'
    and "other"."suspended_at" is null and "other"."erased_at" is null)); end;

CREATE TABLE app_meta (
  key text primary key,
  value text not null
);

CREATE TABLE attempts (
  key text not null,
  slice bigint not null,
  count integer not null,
  expires_at bigint not null,
  constraint attempts_key primary key (key, slice)
) without rowid;
CREATE INDEX attempts_expiry on attempts (expires_at);

CREATE TABLE audit (
  no integer primary key,
  id text not null unique,
  at bigint not null,
  type text not null,
  action text not null,
  outcome text not null,
  actor_kind text not null,
  actor_id text,
  network text not null,
  request_id text not null,
  entity text,
  details text not null,
  position integer unique,
  seal text
);
CREATE INDEX audit_action_at on audit (action, at, no);
CREATE INDEX audit_actor_id_at on audit (actor_id, at, no);
CREATE INDEX audit_at on audit (at, no);
CREATE INDEX audit_entity_at on audit (entity, at, no);
CREATE INDEX audit_refused on audit (at, no) where outcome <> 'ok';
CREATE INDEX audit_unsealed on audit (no) where seal is null;
CREATE TRIGGER audit_no_delete before delete on audit begin select raise(abort, 'the audit log is append-only'); end;
CREATE TRIGGER audit_no_replace before insert on audit
      when exists (select 1 from audit where no = new.no)
        or exists (select 1 from audit where id = new.id)
        or exists (select 1 from audit where position = new.position) begin select raise(abort, 'the audit log is append-only'); end;
CREATE TRIGGER audit_no_update before update on audit
      when old.seal is not null or old.no is not new.no or old.id is not new.id
        or old.at is not new.at or old.type is not new.type or old.action is not new.action
        or old.outcome is not new.outcome or old.actor_kind is not new.actor_kind
        or old.actor_id is not new.actor_id or old.network is not new.network
        or old.request_id is not new.request_id or old.entity is not new.entity
        or old.details is not new.details begin select raise(abort, 'the audit log is append-only'); end;
CREATE TRIGGER audit_no_update_over before update on audit
      when exists (select 1 from audit where position = new.position and no is not old.no) begin select raise(abort, 'the audit log is append-only'); end;

CREATE TABLE audit_names (
  audit_id text not null,
  part text not null,
  provider_no integer not null references providers (no),
  name text not null,
  constraint audit_names_key primary key (audit_id, part)
);
CREATE INDEX audit_names_provider on audit_names (provider_no);

CREATE TABLE bank_accounts (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  name text not null,
  account_type text,
  sealed text not null,
  key_id text not null,
  fingerprint text not null,
  add_key text not null,
  is_primary integer not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint bank_accounts_known unique (provider_no, fingerprint),
  constraint bank_accounts_add_key unique (provider_no, add_key)
);
CREATE INDEX bank_accounts_key on bank_accounts (key_id);
CREATE UNIQUE INDEX bank_accounts_one_primary on bank_accounts (provider_no)
      where is_primary = 1;

CREATE TABLE blocks (
  id text primary key,
  provider_no integer not null references providers (no),
  date text not null,
  is_weekly integer not null,
  until_date text,
  from_minute integer not null,
  to_minute integer not null,
  note text not null,
  constraint blocks_time check (from_minute >= 0 and to_minute <= 1440),
  constraint blocks_order check (to_minute > from_minute),
  constraint blocks_weekly check (is_weekly = 1 or until_date is null),
  constraint blocks_until check (until_date is null or until_date >= date)
);
CREATE INDEX blocks_provider on blocks (provider_no);

CREATE TABLE booking_months (
  scope_no integer not null,
  month integer not null,
  method text not null,
  shard integer not null,
  n integer not null,
  constraint booking_months_key primary key (scope_no, month, method, shard)
) without rowid;

CREATE TABLE bookings (
  no integer primary key,
  id text not null unique,
  patient_no integer references accounts (no),
  provider_no integer not null references providers (no),
  place_no integer not null references places (no),
  region text not null,
  start_at bigint not null,
  end_at bigint not null,
  time_zone text not null,
  state text not null,
  hold_until bigint not null,
  renewed integer not null,
  visit_type text not null,
  follow_up_basis text,
  payment_method text not null,
  purpose text not null,
  code_at bigint,
  first_minor integer not null,
  follow_minor integer not null,
  currency text not null,
  free_cancel_hours integer not null,
  late_cancel_percent integer not null,
  distance text,
  paid_by integer unique,
  sequence integer not null,
  created_at bigint not null,
  confirmed_at bigint,
  closed_at bigint,
  wall_at bigint not null default 0,
  pay_by bigint not null default 0,
  held_from text,
  reference text,
  visitor text,
  no_show_percent integer not null default 100 check (no_show_percent >= late_cancel_percent and no_show_percent <= 100),
  free_until bigint,
  changed_at bigint,
  outcome text check (outcome is null or (state = 'confirmed' and outcome in ('completed', 'no_show', 'not_held'))),
  outcome_at bigint check ((outcome_at is null) = (outcome is null)),
  arrived_at bigint check (arrived_at is null or outcome is null or outcome = 'completed'),
  mode text not null default 'in_person' check (mode in ('in_person', 'video')),
  patient_state text,
  video_room text,
  type_no integer,
  type_name text,
  constraint bookings_time check (end_at > start_at),
  constraint bookings_fees check (first_minor > 0 and follow_minor > 0),
  constraint bookings_paid check ((state in ('confirmed', 'cancelled')) = (paid_by is not null)),
  constraint bookings_owner check ( case when patient_no is null then state in ('held', 'released') else visitor is null end)
);
CREATE INDEX bookings_cancelled_end on bookings (end_at) where state = 'cancelled';
CREATE INDEX bookings_coming on bookings (start_at, no) where state = 'confirmed';
CREATE INDEX bookings_held on bookings (hold_until) where state = 'held';
CREATE INDEX bookings_held_from on bookings (held_from, hold_until) where held_from is not null;
CREATE INDEX bookings_history on bookings (wall_at, no, payment_method, region)
      where state in ('confirmed', 'cancelled');
CREATE INDEX bookings_history_amount on bookings ((case visit_type when 'follow_up' then follow_minor else first_minor end), wall_at, no, payment_method, region, state)
      where state in ('confirmed', 'cancelled');
CREATE INDEX bookings_history_cancelled on bookings (wall_at, no, payment_method, region)
      where state = 'cancelled';
CREATE INDEX bookings_history_patient on bookings (patient_no, wall_at, no, payment_method, region, state)
      where state in ('confirmed', 'cancelled');
CREATE INDEX bookings_history_provider on bookings (provider_no, wall_at, no, payment_method, region, state)
      where state in ('confirmed', 'cancelled');
CREATE INDEX bookings_missed on bookings (outcome_at) where outcome = 'no_show';
CREATE INDEX bookings_missed_part on bookings (outcome_at, no, paid_by)
      where outcome = 'no_show' and no_show_percent < 100;
CREATE INDEX bookings_paid on bookings (confirmed_at, region, (case visit_type when 'follow_up' then follow_minor else first_minor end), currency) where state in ('confirmed', 'cancelled');
CREATE INDEX bookings_patient on bookings (patient_no, state, start_at);
CREATE INDEX bookings_provider on bookings (provider_no, state, start_at);
CREATE UNIQUE INDEX bookings_reference on bookings (reference);
CREATE INDEX bookings_told on bookings (closed_at) where state = 'released' and purpose <> '';
CREATE INDEX bookings_unmarked on bookings (end_at)
      where state = 'confirmed' and outcome is null;
CREATE UNIQUE INDEX bookings_visitor on bookings (visitor) where visitor is not null;
CREATE TRIGGER bookings_count_delete after delete on bookings
      when old.state in ('confirmed', 'cancelled') begin insert into booking_months (scope_no, month, method, shard, n)
    select scope_no, (cast(strftime('%Y', "old"."wall_at" / 1000, 'unixepoch') as integer) * 12
    + cast(strftime('%m', "old"."wall_at" / 1000, 'unixepoch') as integer) - 1), "old"."payment_method", shard, -1
      from (select "old"."provider_no" as scope_no, 0 as shard
        union all select 0, ("old"."no" & 15) + case "old"."region" when 'usa' then 16 else 0 end) as scopes
      where "old"."state" in ('confirmed', 'cancelled')
    on conflict (scope_no, month, method, shard)
      do update set n = booking_months.n + excluded.n; end;
CREATE TRIGGER bookings_count_insert after insert on bookings
      when new.state in ('confirmed', 'cancelled') begin insert into booking_months (scope_no, month, method, shard, n)
    select scope_no, (cast(strftime('%Y', "new"."wall_at" / 1000, 'unixepoch') as integer) * 12
    + cast(strftime('%m', "new"."wall_at" / 1000, 'unixepoch') as integer) - 1), "new"."payment_method", shard, 1
      from (select "new"."provider_no" as scope_no, 0 as shard
        union all select 0, ("new"."no" & 15) + case "new"."region" when 'usa' then 16 else 0 end) as scopes
      where "new"."state" in ('confirmed', 'cancelled')
    on conflict (scope_no, month, method, shard)
      do update set n = booking_months.n + excluded.n; end;
CREATE TRIGGER bookings_count_update
      after update of state, wall_at, provider_no, payment_method on bookings
      when (old.state in ('confirmed', 'cancelled')) <> (new.state in ('confirmed', 'cancelled'))
    or old.wall_at <> new.wall_at or old.provider_no <> new.provider_no
    or old.payment_method <> new.payment_method begin insert into booking_months (scope_no, month, method, shard, n)
    select scope_no, (cast(strftime('%Y', "old"."wall_at" / 1000, 'unixepoch') as integer) * 12
    + cast(strftime('%m', "old"."wall_at" / 1000, 'unixepoch') as integer) - 1), "old"."payment_method", shard, -1
      from (select "old"."provider_no" as scope_no, 0 as shard
        union all select 0, ("old"."no" & 15) + case "old"."region" when 'usa' then 16 else 0 end) as scopes
      where "old"."state" in ('confirmed', 'cancelled')
    on conflict (scope_no, month, method, shard)
      do update set n = booking_months.n + excluded.n; insert into booking_months (scope_no, month, method, shard, n)
    select scope_no, (cast(strftime('%Y', "new"."wall_at" / 1000, 'unixepoch') as integer) * 12
    + cast(strftime('%m', "new"."wall_at" / 1000, 'unixepoch') as integer) - 1), "new"."payment_method", shard, 1
      from (select "new"."provider_no" as scope_no, 0 as shard
        union all select 0, ("new"."no" & 15) + case "new"."region" when 'usa' then 16 else 0 end) as scopes
      where "new"."state" in ('confirmed', 'cancelled')
    on conflict (scope_no, month, method, shard)
      do update set n = booking_months.n + excluded.n; end;

CREATE TABLE busy_times (
  provider_no integer not null references providers (no),
  source text not null,
  calendar_id text references outside_calendars (id),
  import_id text references imports (id),
  key text,
  start_at bigint not null,
  end_at bigint not null,
  label text,
  constraint busy_times_key unique (provider_no, key),
  constraint busy_times_order check (end_at > start_at),
  constraint busy_times_source check ( (source = 'calendar' and calendar_id is not null and import_id is null and key is null and label is null) or (source = 'import' and import_id is not null and calendar_id is null and key is not null))
);
CREATE INDEX busy_times_calendar on busy_times (calendar_id);
CREATE INDEX busy_times_import on busy_times (import_id);
CREATE INDEX busy_times_provider on busy_times (provider_no, end_at);

CREATE TABLE calendar_feeds (
  id text primary key,
  account_no integer not null references accounts (no),
  hash text not null unique,
  name text not null,
  shows_names integer not null,
  created_at bigint not null,
  last_read_at bigint
);
CREATE INDEX calendar_feeds_account on calendar_feeds (account_no);

CREATE TABLE codes (
  id text primary key,
  account_no integer not null references accounts (no),
  purpose text not null,
  object text not null,
  hash text not null,
  created_at bigint not null,
  expires_at bigint not null,
  tries integer not null,
  verified_at bigint,
  used_at bigint
);
CREATE INDEX codes_expiry on codes (expires_at);
CREATE INDEX codes_live on codes (account_no, purpose, object, created_at);

CREATE TABLE company_claims (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  document_no integer not null unique references company_documents (no),
  company_name text not null,
  registration_number text not null,
  address text not null,
  state text not null,
  reason text,
  sent_at bigint not null,
  decided_at bigint,
  decided_by text
);
CREATE UNIQUE INDEX company_claims_one_live on company_claims (provider_no)
      where state in ('in_review', 'accepted');
CREATE INDEX company_claims_queue on company_claims (state, sent_at);

CREATE TABLE company_documents (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  kind text not null,
  file text not null unique,
  bytes integer not null,
  created_at bigint not null
);
CREATE INDEX company_documents_provider on company_documents (provider_no);

CREATE TABLE consents (
  id text primary key,
  preferences integer not null,
  statistics integer not null,
  account_no integer references accounts (no),
  created_at bigint not null,
  updated_at bigint not null
);
CREATE INDEX consents_of_strangers on consents (updated_at) where account_no is null;

CREATE TABLE contact_messages (
  id text primary key,
  provider_no integer references providers (no),
  first_name text not null,
  last_name text not null,
  email text not null,
  message text not null,
  created_at bigint not null,
  user_id text
);

CREATE TABLE desk_visits (
  no integer primary key,
  id text not null unique,
  reference text not null unique,
  provider_no integer not null references providers (no),
  place_no integer not null references places (no),
  kind text not null,
  state text not null,
  start_at bigint not null,
  end_at bigint not null,
  time_zone text not null,
  wall_at bigint not null,
  name text not null,
  phone text not null,
  email text not null,
  note text not null,
  sequence integer not null,
  moved_from bigint,
  created_at bigint not null,
  changed_at bigint not null,
  closed_at bigint,
  outcome text,
  outcome_at bigint,
  arrived_at bigint,
  moved_from_zone text,
  constraint desk_visits_time check (end_at > start_at),
  constraint desk_visits_kind check (kind in ('phone', 'walk_in')),
  constraint desk_visits_state check (state in ('confirmed', 'cancelled')),
  constraint desk_visits_closed check ((state = 'cancelled') = (closed_at is not null)),
  constraint desk_visits_outcome check ( outcome is null or (state = 'confirmed' and outcome in ('completed', 'no_show'))),
  constraint desk_visits_marked check ((outcome_at is null) = (outcome is null)),
  constraint desk_visits_arrived check (arrived_at is null or outcome is null or outcome = 'completed')
);
CREATE INDEX desk_visits_provider on desk_visits (provider_no, state, wall_at);
CREATE INDEX desk_visits_unmarked on desk_visits (end_at)
      where state = 'confirmed' and outcome is null;

CREATE TABLE extra_dates (
  id text primary key,
  provider_no integer not null references providers (no),
  place_no integer not null references places (no),
  date text not null,
  from_minute integer not null,
  to_minute integer not null,
  note text not null,
  constraint extra_dates_time check (from_minute >= 0 and to_minute <= 1440),
  constraint extra_dates_order check (to_minute > from_minute)
);
CREATE INDEX extra_dates_provider on extra_dates (provider_no);

CREATE TABLE favourites (
  account_no integer not null references accounts (no),
  provider_no integer not null references providers (no),
  created_at bigint not null,
  constraint favourites_key primary key (account_no, provider_no)
);
CREATE INDEX favourites_provider on favourites (provider_no);

CREATE TABLE gallery_files (
  image_no integer not null references gallery_images (no),
  path text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  constraint gallery_files_key primary key (image_no, width)
);
CREATE INDEX gallery_files_path on gallery_files (path);

CREATE TABLE gallery_images (
  no integer primary key,
  id text not null unique,
  purpose text not null,
  image_url text not null,
  alt text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  uploaded_by text,
  created_at bigint not null,
  removed_at bigint,
  constraint gallery_images_once unique (image_url, purpose)
);
CREATE INDEX gallery_images_uploader on gallery_images (uploaded_by);

CREATE TABLE gateway_events (
  gateway text not null,
  id text not null,
  type text not null,
  object text,
  body text not null,
  received_at bigint not null,
  processed_at bigint,
  tries integer not null,
  due_at bigint not null default 0,
  constraint gateway_events_key primary key (gateway, id)
);
CREATE INDEX gateway_events_due on gateway_events (due_at) where processed_at is null;
CREATE INDEX gateway_events_object on gateway_events (object);
CREATE INDEX gateway_events_processed on gateway_events (processed_at)
      where processed_at is not null;

CREATE TABLE geo_meta (
  key text not null primary key,
  value text not null
);

CREATE TABLE geo_places (
  region text not null,
  key text not null,
  id integer not null,
  name text not null,
  admin text not null,
  admin_name text not null,
  latitude double precision not null,
  longitude double precision not null,
  population integer not null,
  rank integer not null,
  near text not null,
  is_alias integer not null,
  constraint geo_places_pk primary key (region, key, id)
) without rowid;

CREATE TABLE geo_uk_outcodes (
  code text not null primary key,
  level text not null,
  latitude double precision not null,
  longitude double precision not null,
  postcodes integer not null,
  near text not null
) without rowid;

CREATE TABLE geo_uk_sectors (
  sector text not null primary key,
  outcode text not null,
  latitude double precision not null,
  longitude double precision not null,
  postcodes integer not null
) without rowid;

CREATE TABLE geo_uk_units (
  postcode text not null primary key,
  latitude double precision not null,
  longitude double precision not null
) without rowid;

CREATE TABLE geo_us_zips (
  zip text not null primary key,
  latitude double precision not null,
  longitude double precision not null,
  city text not null,
  state text not null,
  time_zone text not null,
  kind text not null
) without rowid;

CREATE TABLE homepage (
  id text primary key,
  image_url text,
  color text not null default '#ffffff',
  modal_image text,
  show_modal integer not null default 0,
  modal_heading text not null default '',
  modal_description text not null default '',
  updated_at bigint not null,
  version integer not null default 0
);

CREATE TABLE homepage_versions (
  version integer primary key,
  at bigint not null,
  actor_id text,
  act text not null,
  restored integer,
  image_url text,
  color text not null,
  modal_image text,
  show_modal integer not null,
  modal_heading text not null,
  modal_description text not null
);

CREATE TABLE idempotency_keys (
  account_no integer not null references accounts (no),
  key_hash text not null,
  body_hash text not null,
  answer text,
  lease_until bigint not null,
  expires_at bigint not null,
  constraint idempotency_keys_key primary key (account_no, key_hash)
);
CREATE INDEX idempotency_keys_expiry on idempotency_keys (expires_at);

CREATE TABLE imports (
  id text primary key,
  provider_no integer not null references providers (no),
  name text not null,
  created_at bigint not null
);
CREATE INDEX imports_provider on imports (provider_no);

CREATE TABLE links (
  hash text primary key,
  purpose text not null,
  account_no integer not null references accounts (no),
  email text,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
CREATE INDEX links_account on links (account_no);

CREATE TABLE mails (
  id text primary key,
  message_id text not null unique,
  to_address text not null,
  reply_to text,
  subject text not null,
  text_body text not null,
  html_body text not null,
  sent integer not null,
  created_at bigint not null,
  user_id text,
  files text not null default '[]'
);
CREATE INDEX mails_created on mails (created_at);
CREATE INDEX mails_to on mails (to_address, created_at);
CREATE INDEX mails_user on mails (user_id);

CREATE TABLE outbox (
  id text primary key,
  topic text not null,
  payload text not null,
  created_at bigint not null,
  attempts integer not null,
  due_at bigint not null,
  done_at bigint,
  failed_at bigint,
  last_error text
);
CREATE INDEX outbox_done on outbox (done_at) where done_at is not null;
CREATE INDEX outbox_due on outbox (due_at) where done_at is null and failed_at is null;
CREATE INDEX outbox_failed on outbox (failed_at, id) where failed_at is not null;

CREATE TABLE outcome_claims (
  id text primary key,
  booking_no integer not null unique references bookings (no),
  says text not null,
  words text not null,
  state text not null,
  created_at bigint not null,
  decided_at bigint,
  decided_by text,
  note text,
  answer text,
  answered_at bigint,
  constraint outcome_claims_says check (says in ('was_there', 'not_held')),
  constraint outcome_claims_state check (state in ('open', 'upheld', 'rejected', 'settled')),
  constraint outcome_claims_decided check ((state = 'open') = (decided_at is null))
);
CREATE INDEX outcome_claims_open on outcome_claims (created_at) where state = 'open';

CREATE TABLE outside_calendars (
  id text primary key,
  provider_no integer not null references providers (no),
  name text not null,
  host text not null,
  sealed text not null,
  fingerprint text not null,
  skips_all_day integer not null,
  etag text,
  last_modified text,
  covered_to text not null,
  unreadable integer not null,
  next_read_at bigint not null,
  read_at bigint,
  failing_since bigint,
  failure text,
  told_at bigint,
  created_at bigint not null,
  doubts text,
  constraint outside_calendars_once unique (provider_no, fingerprint),
  constraint outside_calendars_failing check ((failing_since is null) = (failure is null))
);
CREATE INDEX outside_calendars_due on outside_calendars (next_read_at);

CREATE TABLE payment_differences (
  gateway text not null,
  object text not null,
  kind text not null,
  payment_no integer references payments (no),
  amount_minor integer not null,
  currency text not null,
  found_at bigint not null,
  told_at bigint,
  dealt_at bigint,
  dealt_by text,
  dealt_note text,
  details text,
  constraint payment_differences_key primary key (gateway, object, kind)
);
CREATE INDEX payment_differences_open on payment_differences (found_at) where dealt_at is null;
CREATE INDEX payment_differences_told on payment_differences (told_at);

CREATE TABLE payments (
  no integer primary key,
  id text not null unique,
  booking_no integer not null references bookings (no),
  patient_no integer not null references accounts (no),
  gateway text not null,
  state text not null,
  amount_minor integer not null,
  currency text not null,
  visit_type text not null,
  follow_up_basis text,
  expires_at bigint not null,
  gw_session text,
  gw_payment text,
  client_secret text,
  reason text,
  checked_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  taken_minor integer,
  taken_currency text,
  decided_at bigint,
  decided_by text,
  decision text,
  decision_note text,
  request text,
  constraint payments_amount check (amount_minor > 0),
  constraint payments_gw_session unique (gateway, gw_session),
  constraint payments_gw_payment unique (gateway, gw_payment)
);
CREATE INDEX payments_booking on payments (booking_no);
CREATE INDEX payments_checked on payments (state, checked_at);
CREATE INDEX payments_moved on payments (gateway, updated_at, no);
CREATE UNIQUE INDEX payments_one_live on payments (booking_no)
      where state in ('creating', 'open', 'capturing', 'paid');
CREATE TRIGGER payments_price before update on payments
      when old.amount_minor <> new.amount_minor or old.currency <> new.currency
    or old.gateway <> new.gateway or old.booking_no <> new.booking_no begin select raise(abort, 'the price of a payment is fixed'); end;

CREATE TABLE places (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  position integer not null,
  name text not null,
  address text not null,
  locality text not null,
  postcode text not null,
  latitude double precision not null,
  longitude double precision not null,
  time_zone text not null,
  phone text,
  removed_at bigint,
  constraint places_provider_position unique (provider_no, position)
);

CREATE TABLE provider_standings (
  provider_no integer primary key references providers (no),
  state text not null,
  since bigint not null,
  reason text,
  is_match integer not null,
  asked_at bigint not null,
  checked_at bigint,
  due_at bigint,
  doubt_since bigint,
  asked_again_at bigint,
  answered_at bigint
);
CREATE INDEX provider_standings_due on provider_standings (due_at) where due_at is not null;
CREATE INDEX provider_standings_next on provider_standings (due_at, checked_at)
      where due_at is not null;
CREATE INDEX provider_standings_queue on provider_standings (state, is_match, asked_at);

CREATE TABLE providers (
  no integer primary key,
  id text not null unique,
  region text not null,
  title text,
  first_name text not null,
  last_name text not null,
  gender text,
  email text not null unique,
  phone text,
  specialty_no integer not null,
  professional_body text not null,
  membership_number text not null,
  verification_status text not null,
  verified_at bigint,
  photo text,
  about text not null,
  qualifications text not null,
  languages text not null,
  offers_in_person integer not null,
  offers_video integer not null,
  amount_minor integer not null,
  follow_amount_minor integer not null,
  currency text not null,
  consultation_minutes integer not null,
  follow_up_policy text not null default 'trust',
  free_cancel_hours integer not null default 24,
  late_cancel_percent integer not null default 50,
  rating_sum integer not null default 0,
  rating_count integer not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  no_show_percent integer not null default 100 check (no_show_percent >= late_cancel_percent and no_show_percent <= 100),
  video_link text,
  licensed_states text,
  "affiliations" text default '[]' not null
);
CREATE INDEX providers_first_name on providers (lower(first_name) );
CREATE INDEX providers_in_order on providers (last_name, first_name, no);
CREATE INDEX providers_last_name on providers (lower(last_name) );
CREATE INDEX providers_registration on providers (professional_body, membership_number);
CREATE INDEX providers_unverified on providers (no) where verification_status = 'Unverified';

CREATE TABLE recovery_codes (
  hash text primary key,
  account_no integer not null references accounts (no),
  used_at bigint
);

CREATE TABLE refunds (
  id text primary key,
  payment_no integer not null references payments (no),
  reason text not null,
  amount_minor integer not null,
  state text not null,
  gw_refund text,
  tries integer not null,
  next_try_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  key text not null,
  currency text,
  note text,
  actor_id text,
  dealt_at bigint,
  dealt_by text,
  dealt_note text,
  failure text,
  key_round integer not null default 0,
  constraint refunds_amount check (amount_minor > 0),
  constraint refunds_key unique (payment_no, key)
);
CREATE INDEX refunds_due on refunds (state, next_try_at);
CREATE INDEX refunds_failed on refunds (created_at) where state = 'failed' and dealt_at is null;

CREATE TABLE register_entries (
  load_no integer not null references register_loads (no),
  registration_number text not null,
  name text not null,
  status_text text not null,
  constraint register_entries_key primary key (load_no, registration_number)
) without rowid;

CREATE TABLE register_loads (
  no integer primary key,
  body text not null,
  state text not null,
  source text not null,
  entries integer not null,
  started_at bigint not null,
  finished_at bigint
);
CREATE UNIQUE INDEX register_loads_current on register_loads (body) where state = 'current';

CREATE TABLE registrant_proofs (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  kind text not null,
  state text not null,
  body text not null,
  claimed_number text not null,
  claimed_name text not null,
  document_no integer references company_documents (no),
  email text,
  source text,
  created_at bigint not null,
  created_by text,
  decided_at bigint,
  decided_by text,
  reason text,
  constraint registrant_proofs_kind check ( (kind = 'document' and document_no is not null and email is null and source is null) or (kind = 'code' and document_no is null and email is not null and source is not null)),
  constraint registrant_proofs_state check (state in ('waiting', 'accepted', 'refused', 'replaced')),
  constraint registrant_proofs_decided check ((state = 'waiting') = (decided_at is null))
);
CREATE INDEX registrant_proofs_provider on registrant_proofs (provider_no, state);
CREATE UNIQUE INDEX registrant_proofs_waiting on registrant_proofs (provider_no, kind)
      where state = 'waiting';

CREATE TABLE reminder_settings (
  account_no integer primary key references accounts (no),
  week integer not null,
  day integer not null,
  from_hour integer not null,
  to_hour integer not null,
  discreet integer not null,
  updated_at bigint not null,
  constraint reminder_settings_hours check (from_hour < to_hour)
);

CREATE TABLE reminders (
  booking_no integer not null references bookings (no),
  kind text not null,
  start_at bigint not null,
  due_at bigint not null,
  batch text not null,
  created_at bigint not null,
  constraint reminders_key primary key (booking_no, kind, start_at),
  constraint reminders_kind check (kind in ('week', 'day'))
);
CREATE INDEX reminders_batch on reminders (batch);

CREATE TABLE schedules (
  provider_no integer primary key references providers (no),
  notice_minutes integer not null default 120,
  horizon_days integer not null default 60,
  buffer_minutes integer not null default 0,
  closed_on_holidays integer not null default 0,
  rotation_weeks integer not null default 1,
  rotation_from text not null,
  generated_to text not null,
  extend_at bigint not null,
  withdraw_at bigint not null,
  version integer not null,
  updated_at bigint not null,
  constraint schedules_rotation check (rotation_weeks between 1 and 4)
);
CREATE INDEX schedules_extend_at on schedules (extend_at);
CREATE INDEX schedules_withdraw_at on schedules (withdraw_at);

CREATE TABLE search_cells (
  specialty_no integer not null,
  band integer not null,
  cell integer not null,
  places integer not null,
  constraint search_cells_pk primary key (specialty_no, band, cell)
) without rowid;

CREATE TABLE search_index (
  specialty_no integer not null,
  band integer not null,
  longitude double precision not null,
  provider_no integer not null,
  place_no integer not null,
  x double precision not null,
  y double precision not null,
  z double precision not null,
  next_free bigint not null,
  fee_minor integer not null,
  features integer not null,
  languages integer not null,
  siblings integer not null,
  name_key text not null,
  visit_minutes integer not null default 0,
  buffer_minutes integer not null default 0,
  in_person_fee_minor integer,
  in_person_follow_minor integer,
  in_person_minutes integer,
  video_fee_minor integer,
  video_follow_minor integer,
  video_minutes integer,
  constraint search_index_pk primary key (specialty_no, band, longitude, provider_no, place_no)
) without rowid;
CREATE INDEX search_index_next_free on search_index (next_free);
CREATE INDEX search_index_provider on search_index (provider_no);
CREATE INDEX search_index_siblings on search_index (specialty_no, band, longitude)
      where siblings = 1;

CREATE TABLE sessions (
  id text primary key,
  account_no integer not null references accounts (no),
  device text not null,
  network text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint not null,
  ended_at bigint,
  end_reason text,
  stepped_up_until bigint,
  generation integer not null,
  rotated_at bigint not null
);
CREATE INDEX sessions_account on sessions (account_no, ended_at);

CREATE TABLE slot_claims (
  booking_no integer references bookings (no),
  desk_no integer references desk_visits (no),
  provider_no integer not null,
  start_at bigint not null,
  end_at bigint not null,
  constraint slot_claims_time check (end_at > start_at),
  constraint slot_claims_booking unique (booking_no),
  constraint slot_claims_desk unique (desk_no),
  constraint slot_claims_owner check ((booking_no is null) <> (desk_no is null))
);
CREATE INDEX slot_claims_provider on slot_claims (provider_no, start_at);
CREATE TRIGGER slot_claims_no_overlap_insert before insert on slot_claims begin
    select raise(abort, 'slot_claims_no_overlap') where exists (
      select 1 from slot_claims where provider_no = new.provider_no
        and start_at < new.end_at and end_at > new.start_at
        and (booking_no is not new.booking_no or desk_no is not new.desk_no)); end;
CREATE TRIGGER slot_claims_no_overlap_update before update on slot_claims begin
    select raise(abort, 'slot_claims_no_overlap') where exists (
      select 1 from slot_claims where provider_no = new.provider_no
        and start_at < new.end_at and end_at > new.start_at
        and (booking_no is not new.booking_no or desk_no is not new.desk_no)); end;

CREATE TABLE slots (
  provider_no integer not null,
  start_at bigint not null,
  place_no integer not null,
  minutes integer not null,
  free integer not null,
  constraint slots_pk primary key (provider_no, start_at)
) without rowid;
CREATE INDEX slots_free on slots (provider_no, start_at) where free = 1;

CREATE TABLE start_links (
  hash text primary key,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);

CREATE TABLE stopped_mail (
  hash text primary key,
  stopped_at bigint not null
);

CREATE TABLE stranger_denials (
  minute bigint not null,
  network text not null,
  path text not null,
  code text not null,
  count integer not null,
  constraint stranger_denials_key primary key (minute, network, path)
) without rowid;

CREATE TABLE tokens (
  hash text primary key,
  session_id text not null references sessions (id),
  kind text not null,
  generation integer not null,
  expires_at bigint not null
);
CREATE INDEX tokens_expiry on tokens (expires_at);
CREATE INDEX tokens_session on tokens (session_id);

CREATE TABLE verification_checks (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  kind text not null,
  at bigint not null,
  actor_kind text not null,
  actor_id text,
  body text not null,
  claimed_number text not null,
  claimed_name text not null,
  answer_number text,
  answer_name text,
  standing text,
  status_text text,
  source text not null,
  outcome text not null,
  differences text not null,
  decision text,
  reason text
);
CREATE INDEX verification_checks_provider on verification_checks (provider_no, at);

CREATE TABLE verification_requests (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  at bigint not null,
  actor_id text not null,
  what text not null,
  about text not null default 'registration',
  answer text,
  document_no integer,
  answered_at bigint
);
CREATE INDEX verification_requests_provider on verification_requests (provider_no, at);

CREATE TABLE visit_changes (
  no integer primary key,
  booking_no integer not null references bookings (no),
  at bigint not null,
  what text not null,
  by_kind text not null,
  by_id text,
  sequence integer not null,
  from_at bigint,
  to_at bigint,
  reason text,
  note text,
  refund_minor integer,
  kept_minor integer,
  from_zone text,
  to_zone text
);
CREATE INDEX visit_changes_booking on visit_changes (booking_no, no);
CREATE INDEX visit_changes_cancelled on visit_changes (at, booking_no) where what = 'cancelled';
CREATE TRIGGER visit_changes_delete before delete on visit_changes
      begin select raise(abort, 'changes of visits are kept'); end;
CREATE TRIGGER visit_changes_update before update on visit_changes when new.note is not null or old."no" is distinct from new."no" or old."booking_no" is distinct from new."booking_no" or old."at" is distinct from new."at" or old."what" is distinct from new."what" or old."by_kind" is distinct from new."by_kind" or old."by_id" is distinct from new."by_id" or old."sequence" is distinct from new."sequence" or old."from_at" is distinct from new."from_at" or old."to_at" is distinct from new."to_at" or old."reason" is distinct from new."reason" or old."refund_minor" is distinct from new."refund_minor" or old."kept_minor" is distinct from new."kept_minor"
      begin select raise(abort, 'changes of visits are kept'); end;

CREATE TABLE visit_joins (
  no integer primary key,
  booking_no integer not null references bookings (no),
  at bigint not null,
  by_kind text not null,
  by_id text not null,
  host text not null,
  constraint visit_joins_by check (by_kind in ('patient', 'provider'))
);
CREATE INDEX visit_joins_booking on visit_joins (booking_no, no);
CREATE TRIGGER visit_joins_delete before delete on visit_joins
      begin select raise(abort, 'joinings of visits are kept'); end;
CREATE TRIGGER visit_joins_update before update on visit_joins
      begin select raise(abort, 'joinings of visits are kept'); end;

CREATE TABLE visit_proposals (
  booking_no integer not null references bookings (no),
  position integer not null,
  start_at bigint not null,
  place_no integer not null references places (no),
  at bigint not null,
  constraint visit_proposals_key primary key (booking_no, position),
  constraint visit_proposals_once unique (booking_no, start_at),
  constraint visit_proposals_most check (position between 0 and 2)
);

CREATE TABLE visit_types (
  no integer primary key,
  id text not null unique,
  provider_no integer not null references providers (no),
  position integer not null,
  name text not null,
  minutes integer not null,
  first_minor integer not null,
  follow_minor integer not null,
  mode text not null,
  place_no integer references places (no),
  archived_at bigint,
  constraint visit_types_minutes check (minutes > 0),
  constraint visit_types_fees check (first_minor >= 0 and follow_minor >= 0),
  constraint visit_types_mode check (mode in ('in_person', 'video', 'both'))
);
CREATE INDEX visit_types_provider on visit_types (provider_no, position);

CREATE TABLE weekly_hours (
  no integer primary key,
  provider_no integer not null references providers (no),
  place_no integer not null references places (no),
  week integer not null,
  weekday integer not null,
  from_minute integer not null,
  to_minute integer not null,
  constraint weekly_hours_time check (from_minute >= 0 and to_minute <= 1440),
  constraint weekly_hours_order check (to_minute > from_minute)
);
CREATE INDEX weekly_hours_provider on weekly_hours (provider_no);
