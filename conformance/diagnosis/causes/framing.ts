import type { Transport } from '../../contracts/payment-service/delivery.ts'
import type { Recognize } from '../cause.ts'
import { type Hypothesis, testAll } from '../hypothesis.ts'
import type { Statement } from '../statement.ts'

const FIX =
  'Read the body to its end, and not as many bytes as Content-Length says: a body that is sent in chunks has none. In Django, request.body is then empty; read request.environ["wsgi.input"], or let a proxy such as nginx buffer requests.'

/** A receiver that loses the body of deliveries that are sent in one of these ways. */
const losing = (sentence: string, ...kinds: Transport['kind'][]): Hypothesis => {
  const statement: Statement = { code: 'body_not_read_to_end', sentence, fix: FIX }
  return {
    ...statement,
    accepts: ({ delivery: { transport }, shouldAccept }) =>
      shouldAccept === true ? transport === undefined || !kinds.includes(transport.kind) : undefined,
  }
}

export const FRAMING_HYPOTHESES: readonly Hypothesis[] = [
  losing(
    'A valid delivery is refused if its body is sent in chunks: without a Content-Length, the body is read as empty.',
    'chunked',
  ),
  losing(
    'A valid delivery is refused if its body arrives in parts: only the first is read.',
    'chunked',
    'drip',
  ),
]

/** The body is not read to its end (SPEC.md 1.5 and 1.7). */
export const framingCauses: Recognize = (evidence) => testAll(FRAMING_HYPOTHESES, evidence)
