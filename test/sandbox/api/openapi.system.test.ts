import { fileURLToPath } from 'node:url'
import { createConfig, lint, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { callFreely, sandbox } from '../support.ts'

const file = fileURLToPath(new URL('../../../schemas/api/openapi.yaml', import.meta.url))

const linesOf = (problems: Awaited<ReturnType<typeof lint>>) =>
  problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${message} ${location[0]?.pointer}`,
  )

test('the OpenAPI document passes the recommended lint rules', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  expect(linesOf(await lint({ ref: file, config }))).toEqual([])
})

test('the served document is a single file, and passes them too', async () => {
  const on = await sandbox()
  const { text, json } = await callFreely(on, 'GET', '/openapi.json', { key: null })
  expect(text).not.toMatch(/"\$ref":"[^#]/)
  expect(text).not.toContain('#/$defs/')
  expect(json['servers']).toEqual([{ url: on.apiUrl, description: 'This sandbox.' }])
  // Its server is this machine.
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } })
  expect(linesOf(await lintFromString({ source: text, absoluteRef: 'openapi.json', config }))).toEqual([])
})
