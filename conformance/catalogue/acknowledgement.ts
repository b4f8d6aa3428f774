import { fulfilledOnce } from '../case/effects.ts'
import { accepted, answeredInTime } from '../case/expect.ts'
import { genuinely, inTurn, together } from '../case/plan.ts'
import { section } from './section.ts'

const otherStatus = {
  impact: 'The service takes the delivery for lost and sends it again, or gives the endpoint up.',
  fix: 'Answer 200 with a short body once the delivery is stored.',
}
const slow = {
  impact: 'The service stops waiting and sends again; under load every delivery is sent several times.',
  fix: 'Store the delivery, answer 200, and work afterwards.',
}

export const acknowledgement = section('acknowledgement', 'Acknowledgement', {
  'exactly-200': {
    spec: 'A receiver MUST acknowledge a genuine delivery with status 200 and no other.',
    send: genuinely('completed', 'completed-short', 'refund'),
    expect: [accepted],
    ...otherStatus,
  },
  'in-time': {
    spec: 'A receiver MUST acknowledge a genuine delivery within the time that the sender waits.',
    send: (kit) => inTurn(kit.delivery('completed'), kit.delivery('refund')),
    expect: [accepted, answeredInTime],
    ...slow,
  },
  'burst-of-50': {
    spec: 'A receiver MUST acknowledge every genuine delivery of a burst, each within that time.',
    alone: true,
    send: (kit) => together(...Array.from({ length: 50 }, () => kit.delivery('completed'))),
    expect: [accepted, answeredInTime],
    impact: 'Payments are lost in the busiest hour.',
    fix: 'Keep the work out of the request, serve connections side by side, and let enough of them queue (in Python ThreadingHTTPServer with request_queue_size = 128).',
  },
  'nothing-to-do': {
    spec: 'A receiver MUST acknowledge a genuine delivery of an event that it has nothing to do for.',
    send: genuinely('failed-cancelled_by_customer', 'partial-crypto', 'expired-gift-card'),
    expect: [accepted],
    impact: 'Events that need no work are sent again and again.',
    fix: 'Answer 200 to every genuine delivery; decide afterwards whether there is work.',
  },
  'burst-carried-out': {
    spec: 'A receiver MUST carry out what it has acknowledged.',
    needs: 'effects',
    alone: true,
    send: (kit) => together(...Array.from({ length: 20 }, () => kit.delivery('completed'))),
    expect: [accepted, fulfilledOnce],
    impact: 'The service believes that the payment arrived, and the customer never gets the goods.',
    fix: 'Store before the 200, process from the store, and try again what failed.',
  },
})
