import type { PaymentCreateRequest } from '../../schemas/types.ts'
import { ApiError } from '../api/errors.ts'
import { requireLink } from '../api/targets.ts'
import type { Context } from '../context.ts'
import { compareAmounts } from '../domain/amounts.ts'
import type { Payment } from '../model.ts'

/**
 * Validates a payment of the first organization, which needs no key.
 *
 * @param request valid by its schema
 * @returns a function that creates the payment
 * @throws ApiError 400 for a field that no schema can judge
 */
export function newPayment(
  { payments, store }: Pick<Context, 'payments' | 'store'>,
  mode: unknown,
  request: PaymentCreateRequest,
): () => Payment {
  const { amount, currency, return_url: returnUrl, webhook_url: webhookUrl, metadata } = request
  if (mode !== 'test' && mode !== 'live') throw new ApiError(400, 'mode must be "test" or "live".')
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be greater than 0.')
  if (returnUrl !== undefined) requireLink(returnUrl)
  const [organization] = store.organizations.list()
  if (organization === undefined) throw new Error('the sandbox has no organization')
  const { id: organizationId } = organization
  return () => payments.create({ organizationId, mode, amount, currency, returnUrl, webhookUrl, metadata })
}
