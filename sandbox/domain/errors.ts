import type { PaymentStatus } from '../model.ts'

/** The payment's status does not allow the action: 409 in the API. Interface 3. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition'
  readonly code = 'illegal_transition'

  constructor(id: string, status: PaymentStatus, action: string) {
    super(`payment ${id} is ${status}: it cannot ${action}.`)
  }
}

/** The action is invalid for this payment, whatever its status: 400 in the API. */
export class BadAction extends Error {
  override readonly name = 'BadAction'
  readonly code = 'bad_action'
}
