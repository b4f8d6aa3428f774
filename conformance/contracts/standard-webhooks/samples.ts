import type { Sample } from '../webhook/service.ts'

const sample =
  (type: string, data: (made: Parameters<Sample>[0]) => object): Sample =>
  (made) => ({ type, timestamp: new Date(made.now * 1000).toISOString(), data: data(made) })

/** Events as services send them that follow the specification; the first is the one that most cases send. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  'invoice-paid': sample('invoice.paid', ({ newId, note }) => ({
    id: newId('inv_', 14),
    amount: '49.00',
    currency: 'EUR',
    description: note,
    receipt: 'https://billing.example/receipts/10001',
  })),
  'invoice-refunded': sample('invoice.refunded', ({ newId }) => ({
    id: newId('inv_', 14),
    refund: { id: newId('ref_', 14), amount: '9.50', reason: 'requested_by_customer' },
  })),
  'user-created': sample('user.created', ({ newId, note }) => ({
    id: newId('user_', 14),
    name: note,
    email: 'zoe@example.com',
    verified: false,
  })),
  'user-deleted': sample('user.deleted', ({ newId }) => ({ id: newId('user_', 14) })),
  'subscription-updated': sample('subscription.updated', ({ newId }) => ({
    id: newId('sub_', 14),
    seats: 12,
    previous: { seats: 10 },
    renews_at: null,
  })),
  'message-bounced': sample('email.bounced', ({ newId }) => ({
    id: newId('em_', 14),
    to: ['ada@example.com', 'bo@example.com'],
    bounce: { type: 'permanent', code: 550 },
  })),
  'event-nobody-knows': sample('hookproof.unknown_event', ({ newId }) => ({ id: newId('x_', 14) })),
}
