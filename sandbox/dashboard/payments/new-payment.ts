import type { Request } from 'express'
import { explain, validate } from '../../../schemas/validate.ts'
import { ApiError } from '../../api/errors.ts'
import { requireTarget } from '../../api/targets.ts'
import { compareAmounts } from '../../domain/amounts.ts'
import type { Mode } from '../../model.ts'
import { field } from '../../pages/index.ts'
import type { CheckTarget } from '../../ports.ts'

/** What the form of a payment asks for: what the API takes, and the kind of key it would be made with. Interface 2.4. */
interface WantedPayment {
  mode: Mode
  amount: string
  currency: string
  returnUrl?: string
  webhookUrl?: string
  metadata: Record<string, string>
}

/**
 * Reads the form that makes a payment.
 * @throws ApiError with one sentence about what does not fit
 */
export function readPayment(request: Pick<Request, 'body'>, checkTarget: CheckTarget): WantedPayment {
  const [amount, currency] = [field(request, 'amount'), field(request, 'currency')]
  const returnUrl = field(request, 'return_url')
  // As the API takes it: the schema knows the scheme in small letters only.
  const webhookUrl = field(request, 'webhook_url').replace(/^https:/i, 'https:')
  const metadata = readMetadata(field(request, 'metadata'))
  // Before the schema, which knows that an address is wrong, but no way out.
  if (webhookUrl !== '') requireTarget(checkTarget, 'webhook_url', webhookUrl)
  const found = validate('api/payment-create-request', {
    amount,
    currency,
    metadata,
    ...(returnUrl && { return_url: returnUrl }),
    ...(webhookUrl && { webhook_url: webhookUrl }),
  })
  if (found.length > 0) throw new ApiError(400, `The payment does not fit. ${explain(found)}.`)
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'The amount must be more than zero.')
  // The checkout makes a link of it, and so it must not be a script.
  if (returnUrl !== '' && !/^https?:$/.test(new URL(returnUrl).protocol)) {
    throw new ApiError(400, 'return_url must begin with https:// or http://.')
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

/** One `name=value` a line. */
function readMetadata(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? []
      if (name.trim() === '') throw new ApiError(400, 'Metadata is one name=value on each line.')
      return [name.trim(), value.trim()]
    }),
  )
}
