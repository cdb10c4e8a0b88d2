import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { schemaText } from './schema-text.ts'

const FOLDER = join(import.meta.dirname, '../../db/schema')

describeEngines('the committed schema', (makeDatabase) => {
  test('is what the migrations make; `vitest -u` writes it', async () => {
    const database = await makeDatabase()
    const text = await schemaText(database)
    await expect(text).toMatchFileSnapshot(join(FOLDER, `${database.engine}.sql`))
  })
})
