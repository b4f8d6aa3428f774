import type { Request } from 'express'
import { explain, validate } from '../../../schemas/validate.ts'
import { requireTarget } from '../../api/targets.ts'
import { compareAmounts } from '../../domain/amounts.ts'
import { ApiError } from '../../http/api-error.ts'
import type { Mode } from '../../model.ts'
import { field } from '../../pages/index.ts'
import type { CheckTarget } from '../../ports.ts'

/** The fields of the form: what the API accepts, and the mode, which the API takes from the key. Interface 2.4. */
interface NewPayment {
  mode: Mode
  amount: string
  currency: string
  returnUrl?: string
  webhookUrl?: string
  metadata: Record<string, string>
}

/**
 * Reads the form that creates a payment.
 * @throws ApiError with one sentence about the first invalid field
 */
export function readPayment(request: Pick<Request, 'body'>, checkTarget: CheckTarget): NewPayment {
  const [amount, currency] = [field(request, 'amount'), field(request, 'currency')]
  const returnUrl = field(request, 'return_url')
  // Like the API: the schema accepts only a lowercase scheme.
  const webhookUrl = field(request, 'webhook_url').replace(/^https:/i, 'https:')
  const metadata = readMetadata(field(request, 'metadata'))
  // Before the schema, whose message would not explain how to fix the URL.
  if (webhookUrl !== '') requireTarget(checkTarget, 'webhook_url', webhookUrl)
  const found = validate('api/payment-create-request', {
    amount,
    currency,
    metadata,
    ...(returnUrl && { return_url: returnUrl }),
    ...(webhookUrl && { webhook_url: webhookUrl }),
  })
  if (found.length > 0) throw new ApiError(400, `Invalid payment: ${explain(found)}.`)
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'The amount must be greater than zero.')
  // The checkout links to it, so it must not be a script.
  if (returnUrl !== '' && !/^https?:$/.test(new URL(returnUrl).protocol)) {
    throw new ApiError(400, 'return_url must start with https:// or http://.')
  }
  return {
    mode: field(request, 'mode') === 'live' ? 'live' : 'test',
    amount,
    currency,
    metadata,
    ...(returnUrl && { returnUrl }),
    ...(webhookUrl && { webhookUrl }),
  }
}

/** One `name=value` per line. */
function readMetadata(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? []
      if (name.trim() === '') throw new ApiError(400, 'Write metadata as one name=value per line.')
      return [name.trim(), value.trim()]
    }),
  )
}
