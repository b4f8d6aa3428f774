import type { Ack, Chaos, Route, ScheduleName } from '../deliveries/index.ts'

/** The options of a sandbox; all of them can be left out. */
export interface SandboxOptions {
  /** TCP port; 0, the default, picks a free one. */
  port?: number
  /** The address to listen on; 127.0.0.1 by default, which other machines cannot reach. */
  host?: string
  /** The SQLite file that stores everything, in an existing folder. Without it nothing is kept. */
  file?: string
  /** The default keys and secrets are derived from it; by default a random one, stored in the file. */
  seed?: string
  /** Where public URLs are really sent, such as `https://shop.example/=http://localhost:3000/`. Interface 8. */
  routes?: readonly string[]
  /** When failed deliveries are retried: a name, or the waits in milliseconds. */
  schedule?: ScheduleName | readonly number[]
  /** `2xx`, the default, accepts any success and flags those that are not 200; `strict` accepts 200 only. */
  ack?: Ack
  /** Blocks API requests whose User-Agent is missing or looks automated. Interface 5.2. */
  botProtection?: boolean
  /**
   * Admits clients on other machines to the dashboard and the control API, by HTTP Basic authentication with any user name:
   * at least 8 characters. Without it, both are for programs and browsers on this machine only.
   */
  dashboardPassword?: string
  /** Faults to inject into every delivery. */
  chaos?: Chaos
  /** Returns real time, in milliseconds since 1970. */
  clock?: () => number
  /** Receives internal errors, which no request should be able to cause. */
  onFailure?: (error: unknown) => void
  /** Receives hints for the person who runs the sandbox, one line each. */
  onNotice?: (text: string) => void
}

/** The options after validation, with defaults filled in. */
export interface ResolvedOptions {
  port: number
  host: string
  file: string
  seed: string | undefined
  routes: readonly Route[]
  schedule: readonly number[]
  ack: Ack
  botProtection: boolean
  dashboardPassword: string | undefined
  chaos: Chaos | undefined
  clock: () => number
  onFailure: (error: unknown) => void
  onNotice: (text: string) => void
}
