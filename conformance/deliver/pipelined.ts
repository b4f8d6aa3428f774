import net from 'node:net'
import tls from 'node:tls'
import type { Delivery } from '../case/delivery.ts'
import type { Answer, Exchange, WireError } from '../case/model.ts'
import type { Target } from '../run/target.ts'
import { afterAwake, stopwatch } from '../timing/awake.ts'
import { cutAnswer } from './answers.ts'
import { classify, timedOut } from './errors.ts'
import { destination, headerLines, type Sender } from './http.ts'
import { tlsOptions } from './trust.ts'

/**
 * Sends all deliveries in one write on a separate connection, before any response, which node:http cannot do. A receiver
 * may close the connection after a response; the unanswered deliveries are then sent again, as HTTP/1.1 requires.
 */
export async function sendPipelined(
  deliveries: readonly Delivery[],
  target: Target,
  sender: Sender,
): Promise<Exchange[]> {
  const { answers, error } = await converse(deliveries, target)
  return Promise.all(
    deliveries.map(async (delivery, index): Promise<Exchange> => {
      const answer = answers[index]
      if (answer !== undefined) return { delivery, answer, error: undefined }
      return error === undefined ? sender.send(delivery) : { delivery, answer: undefined, error }
    }),
  )
}

/** Sends one delivery as it stands on a separate connection, even where node:http would refuse to. */
export async function sendRaw(delivery: Delivery, target: Target): Promise<Exchange> {
  const { answers, error } = await converse([delivery], target)
  return { delivery, answer: answers[0], error: answers[0] === undefined ? error : undefined }
}

/** What was received. Fewer responses than deliveries and no error means that the receiver closed the connection cleanly. */
interface Conversation {
  readonly answers: readonly Answer[]
  readonly error: WireError | undefined
}

function converse(deliveries: readonly Delivery[], target: Target): Promise<Conversation> {
  return new Promise((resolve) => {
    const taken = stopwatch()
    const answers: Answer[] = []
    let received: Buffer = Buffer.alloc(0)
    const socket = connect(target)
    const finish = (error?: WireError): void => {
      cancel()
      socket.destroy()
      resolve({ answers, error })
    }
    const cancel = afterAwake(target.timeoutMs, () => finish(timedOut(target.timeoutMs)))
    const read = (ended: boolean): void => {
      for (;;) {
        const cut = cutAnswer(received, ended)
        if (cut === undefined) break
        answers.push({ ...cut.answer, ...taken() })
        received = cut.rest
        if (cut.last || answers.length === deliveries.length) return finish()
      }
      if (ended) finish(answers.length === 0 ? classify(new Error('no response')) : undefined)
    }
    const orGarbled = (ended: boolean): void => {
      try {
        read(ended)
      } catch (error) {
        finish(classify(error))
      }
    }
    socket.on('error', (error) => finish(classify(error)))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      orGarbled(false)
    })
    socket.on('end', () => orGarbled(true))
    socket.on('close', () => orGarbled(true))
    socket.write(Buffer.concat(deliveries.flatMap((delivery) => requestBytes(delivery, target))))
  })
}

function connect({ url, trust }: Target): net.Socket {
  const { host, port } = destination(url)
  if (url.protocol !== 'https:') return net.connect({ host, port })
  // An IP address is not a server name.
  return tls.connect({
    host,
    port,
    ...tlsOptions(trust),
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
  })
}

function requestBytes(delivery: Delivery, target: Target): Buffer[] {
  const { path } = destination(target.url)
  const version = delivery.transport?.kind === 'raw' ? delivery.transport.version : '1.1'
  const lines = headerLines(delivery, target).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${delivery.method} ${delivery.route?.(path) ?? path} HTTP/${version}\r\n${lines.join('')}\r\n`
  return [Buffer.from(head, 'latin1'), delivery.body]
}
