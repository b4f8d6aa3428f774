import type { PaymentStatus } from '../model.ts'

/** The payment's status does not allow the action: 409 in the API. Interface 3. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition'
  readonly code = 'illegal_transition'

  /** @param problem what the status rules out, as a clause: `it cannot be reversed` */
  constructor(id: string, status: PaymentStatus, problem: string) {
    super(`payment ${id} is ${status}: ${problem}.`)
  }
}

/** The action is invalid for this payment, whatever its status: 400 in the API. */
export class BadAction extends Error {
  override readonly name = 'BadAction'
  readonly code = 'bad_action'
}
