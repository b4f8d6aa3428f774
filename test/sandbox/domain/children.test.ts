import { expect, onTestFinished, test } from 'vitest'
import { compose } from '../../../sandbox/compose.ts'
import { resolveOptions } from '../../../sandbox/options.ts'

test('each method switch abandons the previous child, and the last child shares the outcome (2.2 rule 1)', async () => {
  const parts = await compose(resolveOptions({}))
  onTestFinished(() => parts.close())
  const { store, payments } = parts
  const organizationId = store.organizations.list()[0]?.id ?? ''
  const { id } = payments.create({
    organizationId,
    mode: 'test',
    amount: '5',
    currency: 'USD',
    method: 'card',
  })

  payments.switchMethod(id, 'pix')
  payments.switchMethod(id, 'sbp')
  const abandoned = { status: 'failed', failureCode: 'cancelled_by_customer' }
  expect(store.payments.children(id)).toMatchObject([
    { method: 'pix', ...abandoned },
    { method: 'sbp', status: 'pending', failureCode: null },
  ])

  const { payment } = payments.act(id, { type: 'succeed', method: 'qris' })
  expect(payment).toMatchObject({ id, parentId: null, method: 'qris', status: 'completed' })
  const children = store.payments.children(id)
  expect(children).toMatchObject([
    { method: 'pix', ...abandoned },
    { method: 'sbp', ...abandoned },
    { method: 'qris', status: 'completed', failureCode: null, amountReceived: '5' },
  ])
  payments.act(id, { type: 'reverse', as: 'refund' })
  expect(store.payments.children(id).map(({ status }) => status)).toEqual(['failed', 'failed', 'refunded'])

  // Lookups of payments never find a child.
  for (const child of children) {
    expect(store.payments.get(child.id)).toBeUndefined()
    expect(store.payments.own(organizationId, 'test', child.id)).toBeUndefined()
  }
})
