import type { CheckTarget } from '../ports.ts'
import { ApiError } from './errors.ts'

/** Turns away an address that nothing may be delivered to. Interface 4.8 and 8. */
export function requireTarget(check: CheckTarget, field: 'url' | 'webhook_url', url: string): void {
  const verdict = check(url)
  if (!verdict.ok) throw new ApiError(400, `${field}: ${verdict.refused}`)
}
