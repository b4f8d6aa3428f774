import { expect, test } from 'vitest'
import { validate } from '../../../schemas/validate.ts'
import { callFreely, sandbox } from '../support.ts'
import { contractOf } from './contract.ts'

test('the document has the strict schemas of the events', async () => {
  const on = await sandbox()
  const { json } = await callFreely(on, 'GET', '/openapi.json', { key: null })
  const schemas = (json['components'] as { schemas: Record<string, unknown> }).schemas
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['ServiceEvent', 'PaymentCompleted', 'Endpoint']),
  )
  const [example] = (schemas['ServiceEvent'] as { examples: unknown[] }).examples
  expect(validate('event.strict', example)).toEqual([])
})

test('the check of the API tests detects violations', async () => {
  const on = await sandbox()
  const { responseProblems } = contractOf((await callFreely(on, 'GET', '/openapi.json')).json)
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
  const sent = { id: 'we_1', url: 'https://shop.example/', events: [] }
  const endpoint = { ...sent, is_enabled: true, description: null }
  const complete = { ...endpoint, created_at: '2026-03-14T09:26:53Z' }
  const judge = (status: number, body: unknown, method = 'GET', path = '/webhooks/we_1') =>
    responseProblems(method, path, { status, headers, text: JSON.stringify(body) }).join()
  expect(judge(200, complete)).toBe('')
  expect(judge(200, endpoint)).toContain('created_at')
  expect(judge(200, { ...complete, secret: 'whsec_1' })).toContain('additional properties')
  expect(judge(201, complete)).toContain('has no 201')
  expect(judge(200, complete, 'PUT')).toContain('PUT')
  expect(judge(200, complete, 'GET', '/nothing')).toContain('not in the contract')
  expect(judge(401, { error: 'no' })).toContain('code')
  expect(judge(404, { error: 'no', code: 'NO' })).not.toBe('')
  expect(judge(204, {}, 'DELETE')).toContain('no body')
  const record = { id: 'tx_1', status: 'pending', surplus: 1 }
  expect(judge(200, record, 'GET', '/payments/tx_1')).toMatch(/required.*unevaluated/)
  expect(judge(200, { data: [record], has_more: false }, 'GET', '/payments?limit=1')).toContain('amount')
})
