import type { PaymentStatus } from '../model.ts'

/** The payment's state does not allow what was asked: 409 in the API. Interface 3. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition'
  readonly code = 'illegal_transition'

  constructor(id: string, status: PaymentStatus, wanted: string) {
    super(`payment ${id} is ${status}: it can not ${wanted}.`)
  }
}

/** What was asked makes no sense for this payment, whatever its state: 400 in the API. */
export class BadAction extends Error {
  override readonly name = 'BadAction'
  readonly code = 'bad_action'
}
