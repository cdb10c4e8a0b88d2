import { type Kysely, sql } from 'kysely'
import { countingKey, drop, run } from './dialect.ts'

/** The homepage and its versions, and the images staff may choose from. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table homepage (
      id text primary key,
      image_url text,
      color text not null default '#ffffff',
      modal_image text,
      show_modal integer not null default 0,
      modal_heading text not null default '',
      modal_description text not null default '',
      updated_at bigint not null,
      version integer not null default 0
    )`,
    sql`create table homepage_versions (
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
    )`,
    sql`create table gallery_images (
      no ${countingKey(db)} primary key,
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
    )`,
    sql`create index gallery_images_uploader on gallery_images (uploaded_by)`,
    sql`create table gallery_files (
      image_no integer not null references gallery_images (no),
      path text not null,
      width integer not null,
      height integer not null,
      bytes integer not null,
      constraint gallery_files_key primary key (image_no, width)
    )`,
    sql`create index gallery_files_path on gallery_files (path)`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['gallery_files', 'gallery_images', 'homepage_versions', 'homepage'])
}
