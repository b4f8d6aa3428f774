import type { RequestListener } from 'node:http'
import type { Server } from 'node:net'
import type { CheckOptions } from '../conformance/check.ts'

/** A receiver: an Express app or any other node:http request listener, an HTTP server, or the URL of its endpoint. */
export type Receiver = RequestListener | Server | string | URL

/** What to test, and how. Only `target` and `secret` are required. */
export interface ConformanceOptions extends Shared {
  /**
   * The receiver. An app, or a server that does not listen yet, is served on a free loopback port and closed after the
   * tests. A function without parameters is called before the first test and returns one of these, or a promise of it.
   */
  readonly target: Receiver | (() => Receiver | Promise<Receiver>)
  /** The webhook endpoint's path at the target. Default: `/webhooks` for an app or a server; a URL has its own. */
  readonly path?: string
  /** The signing secret that the receiver uses, including its prefix. If it is missing, every test fails. */
  readonly secret: string | undefined
  /** Where the receiver shows its effects: a path at the target, a URL, or a function that returns them. */
  readonly observe?: CheckOptions['observe']
  /** A file of known failures, written by `hookproof check --baseline <file> --update-baseline`. */
  readonly baseline?: string | URL
  /** The name of the group that contains the tests. Default: `conformance`. */
  readonly name?: string
}

type Shared = Omit<
  CheckOptions,
  | 'url'
  | 'secret'
  | 'observe'
  | 'started'
  | 'framework'
  | 'reproduceWith'
  | 'onStart'
  | 'onVerdict'
  | 'onWaiting'
>
