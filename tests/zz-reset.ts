import Database from 'better-sqlite3'
import { readdirSync } from 'node:fs'
const file = readdirSync('/tmp/c4-data').find((f) => /^apposite.*\.(db|sqlite)$|\.sqlite$/.test(f) && !f.includes('sandbox'))
const db = new Database('/tmp/c4-data/' + file)
console.log(file, db.prepare("select name from sqlite_master where type='table'").all().map((x: any) => x.name).join(' '))
db.exec('delete from attempts; delete from codes;')
