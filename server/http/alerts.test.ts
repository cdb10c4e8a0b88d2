import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics } from 'prom-client'
import { expect, test } from 'vitest'
import { makeTestApp } from '#tests/harness/test-app.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const rules = readFileSync(join(DEPLOY, 'alerts.yml'), 'utf8')
const scenarios = readFileSync(join(DEPLOY, 'alerts.test.yml'), 'utf8')

const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

test('every metric that a rule reads is exported, so that no rule waits for nothing', async () => {
  await using testApp = await makeTestApp()
  collectDefaultMetrics({ register: testApp.services.metrics.registry })
  const response = await testApp.app.fetch(
    new Request('http://localhost:3000/metrics'),
    '127.0.0.1',
  )
  const text = await response.text()
  const exported = new Set([...text.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name))
  const read = [...rules.matchAll(/\b(apposite|nodejs)_\w+/g)].map(([name]) => name)
  expect(new Set(read).size).toBeGreaterThan(15)
  const missing = read.filter(
    (name) => !exported.has(name) && !exported.has(name.replace(/_(bucket|count|sum)$/, '')),
  )
  expect(missing).toEqual([])
})

test('every rule has a scenario in which it fires', () => {
  expect(alerts.length).toBeGreaterThan(15)
  expect(alerts.filter((name) => !scenarios.includes(name))).toEqual([])
})

test.each([
  ['check', 'alerts.yml'],
  ['test', 'alerts.test.yml'],
])('promtool %s rules %s, where it is installed', (command, file) => {
  const { error, status, stderr } = spawnSync('promtool', [command, 'rules', join(DEPLOY, file)], {
    encoding: 'utf8',
  })
  expect([error === undefined ? status : 0, stderr ?? '']).toEqual([0, ''])
})
