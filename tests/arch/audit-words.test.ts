import { expect, test } from 'vitest'
import { actionGroups, actionLabels } from '#app/features/audit/action-labels.ts'
import { read, textFiles } from './repository.ts'

/** Lines of server code that name an audit action. */
const NAMED = /\baction\b|\baudit\(tx/
const ACTION = /'([a-z_]+\.[a-z_]+)'/g

function writtenActions(): string[] {
  const files = textFiles(/^server\/(?!sandbox\/).*\.ts$/).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const lines = files.flatMap((path) => read(path).split('\n')).filter((line) => NAMED.test(line))
  const found = lines.flatMap((line) => [...line.matchAll(ACTION)].map(([, name = '']) => name))
  return [...new Set(found)].toSorted()
}

test('whatever the server writes into the audit log, its page says in words', () => {
  const actions = writtenActions()
  expect(actions.length).toBeGreaterThan(60)
  expect(actions.filter((action) => actionLabels[action] === undefined)).toEqual([])
})

test('the filter of the audit log offers each action once, under a heading of words', () => {
  const groups = actionGroups()
  const offered = groups.flatMap(({ actions }) => actions)
  expect(offered.toSorted()).toEqual(Object.keys(actionLabels).toSorted())
  for (const { label } of groups) expect(label).toMatch(/^[A-Z]/)
})
