import type { Request } from 'express'
import { validate } from '../../../schemas/validate.ts'
import { requireLink, requireTarget } from '../../api/targets.ts'
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
  const givenUrl = field(request, 'webhook_url')
  const metadata = readMetadata(field(request, 'metadata'))
  // Before the schema, whose message would not explain how to fix the URL.
  const webhookUrl = givenUrl && requireTarget(checkTarget, 'webhook_url', givenUrl)
  // The checkout links to it, so it must not be a script.
  if (returnUrl !== '') requireLink(returnUrl)
  const found = validate('api/payment-create-request', {
    amount,
    currency,
    metadata,
    ...(returnUrl && { return_url: returnUrl }),
    ...(webhookUrl && { webhook_url: webhookUrl }),
  })
  const [problem] = found
  if (problem !== undefined)
    throw new ApiError(400, `${labelOf(problem.path)}: expected ${problem.expected}.`)
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'The amount must be greater than zero.')
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

/** The label of the field that a JSON pointer leads to. */
function labelOf(path: string): string {
  const [, name = ''] = path.split('/')
  return name.endsWith('_url') ? name : name.charAt(0).toUpperCase() + name.slice(1)
}
