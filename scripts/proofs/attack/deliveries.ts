import { setTimeout as wait } from 'node:timers/promises'
import { openConnection, type RawConnection } from '../shared/raw-connection.ts'
import { requestOf, type Traffic } from '../shared/traffic.ts'

/** One valid delivery, which was sent once. */
export interface Delivery {
  /** From before the connection was opened until the answer, in milliseconds. */
  readonly ms: number
  /** The status code, or the reason why there is none. */
  readonly answer: number | string
}

const INTERVAL_MS = 100

/** Sends ten new events a second until aborted, every second one over a new connection. @returns one entry per event */
export async function sendAtSteadyRate(
  port: number,
  traffic: Traffic,
  signal: AbortSignal,
): Promise<Delivery[]> {
  const idle: RawConnection[] = []
  const sending: Promise<Delivery>[] = []
  const started = performance.now()
  while (!signal.aborted) {
    sending.push(deliver(port, traffic, sending.length % 2 === 0 ? undefined : idle))
    const due = started + sending.length * INTERVAL_MS
    await wait(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => {})
  }
  const deliveries = await Promise.all(sending)
  for (const connection of idle) connection.close()
  return deliveries
}

/** Sends a new event once. @param idle kept-alive connections to choose from; without it a new one is used and closed */
export async function deliver(port: number, traffic: Traffic, idle?: RawConnection[]): Promise<Delivery> {
  const event = traffic.nextNew()
  const request = requestOf(event)
  const started = performance.now()
  const connection = idle?.pop() ?? openConnection(() => port)
  const response = await connection.send(request)
  const ms = performance.now() - started
  event.acknowledged = response.status === 200
  traffic.finished(event)
  if (idle === undefined) connection.close()
  else idle.push(connection)
  return { ms, answer: response.status ?? response.error }
}
