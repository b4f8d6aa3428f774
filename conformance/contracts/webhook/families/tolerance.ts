import { must, type ServiceRequirement, should } from '../requirement.ts'
import * as time from './time.ts'

/**
 * What a service requires of the age of a delivery that signs its time, where its documents leave the tolerance to the receiver.
 *
 * @param title the service, whose libraries have a tolerance of five minutes
 */
export function toleranceByPractice(title: string): readonly ServiceRequirement[] {
  const tolerance = { practice: `The libraries of ${title} have a tolerance of five minutes.` }
  return [
    should(
      'A receiver SHOULD accept a valid delivery that was signed half a minute ago.',
      tolerance,
      time.fresh,
    ),
    should(
      'A receiver SHOULD accept a valid delivery that was signed less than five minutes ago.',
      tolerance,
      time.withinTolerance,
    ),
    must(
      'A receiver MUST NOT accept a delivery that was signed a day ago.',
      { harm: 'Anyone who recorded a delivery can send it again at any later time.' },
      time.old,
    ),
    should(
      'A receiver SHOULD NOT accept a delivery that was signed more than five minutes ago.',
      tolerance,
      time.beyondTolerance,
    ),
    should(
      'A receiver SHOULD NOT accept a delivery that is dated in the future.',
      {
        practice: `Only ${title} can sign such a delivery, but anyone who recorded it can send it again until that date has passed.`,
      },
      time.future,
    ),
  ]
}
