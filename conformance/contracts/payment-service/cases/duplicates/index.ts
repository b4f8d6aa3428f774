import { accepted } from '../../expectations/expect.ts'
import { requirement, section } from '../section.ts'
import { endsApart, lettersApart, partialsApart, paymentsApart, refundsApart } from './distinct.ts'
import { handledOnce, handledOnceTogether, recognized } from './handled-once.ts'
import { redelivered, secondEarlier, unchanged } from './redelivered.ts'
import { suppressed } from './suppressed.ts'

export const duplicates = section(
  'duplicates',
  'Duplicate deliveries',
  requirement(
    'A receiver MUST acknowledge a redelivery with status 200.',
    {
      impact: 'The service keeps resending the delivery, because it never gets an acknowledgment.',
      fix: 'Answer 200 to a delivery that is already stored.',
    },
    { 'acknowledged-again': { send: redelivered(unchanged, secondEarlier), expect: [accepted] } },
  ),
  handledOnce,
  handledOnceTogether,
  recognized,
  refundsApart,
  partialsApart,
  suppressed,
  paymentsApart,
  lettersApart,
  endsApart,
)
