import type { ExitCode } from './exit.ts'
import type { Io } from './io.ts'

/** Runs one command: the action of each calls it with the work to do. */
export type Run = (command: (io: Io) => ExitCode | Promise<ExitCode>) => Promise<void>
